/** The HTTP API, made from its schemas by `npm run docs`. */
export interface paths {
    "/middleware/transactions/account/{account}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Transactions of an account, newest first
         * @description Those that name the account as sender, recipient, owner, caller or another party, also by a name of its.
         */
        get: operations["getTxByAccount"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/middleware/transactions/account/{account}/count": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Number of transactions of an account */
        get: operations["getTxCountByAddress"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/middleware/transactions/account/{sender}/to/{receiver}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Spends from one account to another, newest first */
        get: operations["getTxBetweenAddress"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/middleware/transactions/interval/{from}/{to}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Transactions of the generations between two heights, newest first
         * @description Without `limit` a range of more than 1000 heights is refused when it holds more than the cap.
         */
        get: operations["getTxByGenerationRange"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/middleware/transactions/rate/{from}/{to}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Number and amount of the spends of each day between two days
         * @description The two days themselves are left out, and so are days without spends.
         */
        get: operations["getTxRateByDateRange"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/middleware/count/current": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Number of all transactions */
        get: operations["getCurrentTxCount"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/middleware/count/height/{height}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Number of the transactions up to a height */
        get: operations["getTxCountAtHeight"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/middleware/generations/{from}/{to}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whole generations between two heights, by height
         * @description Without `limit` up to `LIMIT_CAP` generations are given, with up to 20 times as many transactions; `limit` and `page` count generations.
         */
        get: operations["getGenerationsByRange"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/middleware/new/generations/{from}/{to}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whole generations between two heights as a list, newest first
         * @description Without `limit` up to `LIMIT_CAP` generations are given, with up to 20 times as many transactions; `limit` and `page` count generations.
         */
        get: operations["getGenerationListByRange"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/middleware/height/at/{milliseconds}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The lowest height whose key block is not older than a moment */
        get: operations["getHeightByTime"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/middleware/reward/height/{height}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What the key block of a height earns */
        get: operations["getRewardAtHeight"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/middleware/size/current": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Size of all transactions in bytes */
        get: operations["getChainSize"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/middleware/size/height/{height}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Size of the transactions up to a height in bytes */
        get: operations["getSizeAtHeight"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/middleware/names": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All names, also those that have expired, latest claims first */
        get: operations["getAllNames"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/middleware/names/active": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Names that are claimed and have not expired, latest claims first */
        get: operations["getActiveNames"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/middleware/names/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Names that contain a text, also those that have expired */
        get: operations["searchName"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/middleware/names/reverse/{account}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Active names that point to an object, by name */
        get: operations["getNameByAddress"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/middleware/names/hash/{hash}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The name of a hash, its latest record */
        get: operations["getNameForHash"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/middleware/names/auctions/active": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Auctions that are running */
        get: operations["getActiveNameAuctions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/middleware/names/auctions/active/count": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Number of the auctions that are running */
        get: operations["getActiveNameAuctionsCount"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/middleware/names/auctions/{name}/info": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The latest auction of a name with its bids */
        get: operations["getAuctionInfo"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/middleware/names/auctions/bids/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Bids of the latest auction of a name, newest first */
        get: operations["getNameAuctionsBidsbyName"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/middleware/names/auctions/bids/account/{account}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Claims and bids of an account with the auctions they are of, newest first */
        get: operations["getNameAuctionsBidsbyAddress"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/middleware/contracts/all": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All contracts, newest first */
        get: operations["getAllContracts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/middleware/contracts/calls/address/{address}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Decoded calls of a contract, oldest first */
        get: operations["getContractAddressCalls"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/middleware/contracts/transactions/address/{address}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Creation and calls of a contract, oldest first */
        get: operations["getContractTx"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/middleware/contracts/transactions/creation/address/{address}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The transaction that created a contract */
        get: operations["getContractCreationTx"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/middleware/contracts/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Whether a source compiles to the code of a contract
         * @description What keeps the compiler from answering is reported with status 200 as `error`.
         */
        post: operations["verifyContract"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/middleware/compilers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Versions of the compiler */
        get: operations["getCompilers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/middleware/oracles/list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Active oracles, latest registrations first */
        get: operations["getAllOracles"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/middleware/oracles/all": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The same as `/middleware/oracles/list` */
        get: operations["getOraclesByOlderPath"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/middleware/oracles/{oracle}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Questions to an oracle with their answers, newest first */
        get: operations["getOracleData"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/middleware/channels/active": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Channels that are open, oldest first */
        get: operations["getActiveChannels"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/middleware/channels/transactions/address/{address}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Transactions of a channel, oldest first */
        get: operations["getChannelTx"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/generations/current": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The generation that is running */
        get: operations["getCurrentGeneration"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/generations/height/{height}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The generation of a height */
        get: operations["getGenerationByHeight"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/key-blocks/current/height": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Height of the newest key block */
        get: operations["getCurrentKeyBlockHeight"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/key-blocks/hash/{hash}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A key block by its hash */
        get: operations["getKeyBlockByHash"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/key-blocks/height/{height}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The key block of a height */
        get: operations["getKeyBlockByHeight"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/micro-blocks/hash/{hash}/header": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A micro block by its hash */
        get: operations["getMicroBlockHeaderByHash"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/micro-blocks/hash/{hash}/transactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The transactions of a micro block, in its order */
        get: operations["getMicroBlockTransactionsByHash"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/micro-blocks/hash/{hash}/transactions/count": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Number of the transactions of a micro block */
        get: operations["getMicroBlockTransactionsCountByHash"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/transactions/{hash}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A transaction by its hash */
        get: operations["getTransactionByHash"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/middleware/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether the database keeps up with the chain
         * @description Status 503 with the same body when it does not.
         */
        get: operations["getMdwStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether the process lives */
        get: operations["getLiveness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether the service can answer */
        get: operations["getReadiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/middleware/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Server-sent events of the chain
         * @description Goes on until the client leaves. The data of each event is the frame of the websocket.
         */
        get: operations["streamEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/middleware/api": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The older description of the API (Swagger 2.0)
         * @description Wallets build their clients from it.
         */
        get: operations["getSwagger"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * This description of the API
         * @description With `int-as-string=true` as it is for requests with that parameter.
         */
        get: operations["getOpenApi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/docs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** This description as a page */
        get: operations["getDocumentation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * @example {
         *       "contract_id": "ct_Y5xhBfYMNbx1335iRn5eUhBt4tGw8EQDdnUKpKgw5g8GaqD3a",
         *       "source": "contract ProofOfExistence =\n  record state = { n : int }\n  entrypoint init() = { n = 0 }\n",
         *       "compiler": "4.1.0"
         *     }
         */
        VerifyRequest: {
            contract_id: string;
            source: string;
            compiler: string;
        };
        /**
         * @description A transaction with its time.
         * @example {
         *       "block_hash": "mh_SVPezZ4rsoGfX9kEmmqESYZTQs6RSRem73GW5QwhwrRZeVDW1",
         *       "block_height": 1209,
         *       "hash": "th_SZufyzxPitBWd9GcwUX6Wsam4yFJFF8qgD3sXytBYAPRScyfj",
         *       "signatures": [
         *         "sg_VWKZDvWtYpMtDR73XEa4dYDYNBAXCQYywCCi82Qg179adHLXZ5Ff7pDXW8uMsLvPpgeP6gh5fMkzYNpNKxJHF7HVNbBGF"
         *       ],
         *       "tx": {
         *         "amount": 20000000000000000,
         *         "fee": 16840000000000,
         *         "nonce": 130,
         *         "payload": "ba_Xfbg4g==",
         *         "recipient_id": "ak_22do7DzdcNknYKyFzKssjDicnH68nNYPUucozdA51o8rAtgX8y",
         *         "sender_id": "ak_2i9GVHCZTWkRKoLqSwCUaZ7gbLXfVSgwfwTNUBCmMV1MVjRPPf",
         *         "ttl": 1300,
         *         "type": "SpendTx",
         *         "version": 1
         *       },
         *       "time": 1546717623000
         *     }
         */
        TimedTransaction: {
            /** @description Height of its generation; -1 while it waits in the pool. */
            block_height: number;
            block_hash: components["schemas"]["MicroBlockHash"] | "none";
            hash: components["schemas"]["TransactionHash"];
            /** @description Absent where the node gives none. */
            signatures?: components["schemas"]["Signature"][];
            tx: components["schemas"]["Tx"];
            /** @description Time of its micro block, ms since 1970. */
            time: number;
        } & {
            [key: string]: unknown;
        };
        /** @description The hash of a micro block. */
        MicroBlockHash: string;
        /** @description The hash of a transaction. */
        TransactionHash: string;
        /** @description A signature. */
        Signature: string;
        /**
         * @description The node's object, with all its members and digits; which ones there are depends on the type.
         * @example {
         *       "amount": 20000000000000000,
         *       "fee": 16840000000000,
         *       "nonce": 130,
         *       "payload": "ba_Xfbg4g==",
         *       "recipient_id": "ak_22do7DzdcNknYKyFzKssjDicnH68nNYPUucozdA51o8rAtgX8y",
         *       "sender_id": "ak_2i9GVHCZTWkRKoLqSwCUaZ7gbLXfVSgwfwTNUBCmMV1MVjRPPf",
         *       "ttl": 1300,
         *       "type": "SpendTx",
         *       "version": 1
         *     }
         */
        Tx: {
            type: string;
        } & {
            [key: string]: unknown;
        };
        /**
         * @description Why there is no answer.
         * @example {
         *       "reason": "Not found"
         *     }
         */
        Error: {
            reason: string;
        };
        /**
         * @example {
         *       "count": 2
         *     }
         */
        Count: {
            count: number;
        };
        /**
         * @example {
         *       "transactions": [
         *         {
         *           "block_hash": "mh_SVPezZ4rsoGfX9kEmmqESYZTQs6RSRem73GW5QwhwrRZeVDW1",
         *           "block_height": 1209,
         *           "hash": "th_SZufyzxPitBWd9GcwUX6Wsam4yFJFF8qgD3sXytBYAPRScyfj",
         *           "signatures": [
         *             "sg_VWKZDvWtYpMtDR73XEa4dYDYNBAXCQYywCCi82Qg179adHLXZ5Ff7pDXW8uMsLvPpgeP6gh5fMkzYNpNKxJHF7HVNbBGF"
         *           ],
         *           "tx": {
         *             "amount": 20000000000000000,
         *             "fee": 16840000000000,
         *             "nonce": 130,
         *             "payload": "ba_Xfbg4g==",
         *             "recipient_id": "ak_22do7DzdcNknYKyFzKssjDicnH68nNYPUucozdA51o8rAtgX8y",
         *             "sender_id": "ak_2i9GVHCZTWkRKoLqSwCUaZ7gbLXfVSgwfwTNUBCmMV1MVjRPPf",
         *             "ttl": 1300,
         *             "type": "SpendTx",
         *             "version": 1
         *           }
         *         }
         *       ]
         *     }
         */
        Transactions: {
            transactions: components["schemas"]["Transaction"][];
        };
        /**
         * @description A transaction as the node returns it.
         * @example {
         *       "block_hash": "mh_SVPezZ4rsoGfX9kEmmqESYZTQs6RSRem73GW5QwhwrRZeVDW1",
         *       "block_height": 1209,
         *       "hash": "th_SZufyzxPitBWd9GcwUX6Wsam4yFJFF8qgD3sXytBYAPRScyfj",
         *       "signatures": [
         *         "sg_VWKZDvWtYpMtDR73XEa4dYDYNBAXCQYywCCi82Qg179adHLXZ5Ff7pDXW8uMsLvPpgeP6gh5fMkzYNpNKxJHF7HVNbBGF"
         *       ],
         *       "tx": {
         *         "amount": 20000000000000000,
         *         "fee": 16840000000000,
         *         "nonce": 130,
         *         "payload": "ba_Xfbg4g==",
         *         "recipient_id": "ak_22do7DzdcNknYKyFzKssjDicnH68nNYPUucozdA51o8rAtgX8y",
         *         "sender_id": "ak_2i9GVHCZTWkRKoLqSwCUaZ7gbLXfVSgwfwTNUBCmMV1MVjRPPf",
         *         "ttl": 1300,
         *         "type": "SpendTx",
         *         "version": 1
         *       }
         *     }
         */
        Transaction: {
            /** @description Height of its generation; -1 while it waits in the pool. */
            block_height: number;
            block_hash: components["schemas"]["MicroBlockHash"] | "none";
            hash: components["schemas"]["TransactionHash"];
            /** @description Absent where the node gives none. */
            signatures?: components["schemas"]["Signature"][];
            tx: components["schemas"]["Tx"];
        } & {
            [key: string]: unknown;
        };
        /** @description The spends of one day, UTC. */
        Rate: {
            /** Format: date */
            date: string;
            /** @description Spends of the day. */
            count: number;
            /** @description Sum of their amounts. */
            amount: components["schemas"]["Aettos"];
        };
        /**
         * @description Aettos as decimal text; 1 AE is 10^18 aettos.
         * @example 53994045000000000000
         */
        Aettos: string;
        /**
         * @example {
         *       "total_transactions": 1,
         *       "total_micro_blocks": 1,
         *       "data": {
         *         "1209": {
         *           "beneficiary": "ak_6DifmF7SxmjUxeHoWVgZ1YMHnGDBPWAZesCPSgP4kLnwPf1be",
         *           "hash": "kh_VtFgDuQ7Awc6BtWRFLmjwo9UfuzL5rxmAxRuddNBYRT6njYnC",
         *           "height": 1209,
         *           "info": "cb_Xfbg4g==",
         *           "miner": "ak_9G4xVKQYZVAB5bzgB2koU5CFwagTsCrcxrAb8KMauohLjb5Lg",
         *           "prev_hash": "kh_NbW4ijWJcGUYh4hHQHGGN7Dt78C8xkCpBj95iMmZAbaZ5zRKn",
         *           "prev_key_hash": "kh_NbW4ijWJcGUYh4hHQHGGN7Dt78C8xkCpBj95iMmZAbaZ5zRKn",
         *           "state_hash": "bs_ghTKSeJsDC1qGareZP8YCsoj2UzriKRKqBkUWEpyui79gCaxh",
         *           "target": 503824559,
         *           "time": 1546717620000,
         *           "version": 1,
         *           "nonce": "15041902164601591738",
         *           "pow": "[9195324, 21365415, 33535506, 45705597, 57875688, 70045779, 82215870, 94385961, 106556052, 118726143, 130896234, 143066325, 155236416, 167406507, 179576598, 191746689, 203916780, 216086871, 228256962, 240427053, 252597144, 264767235, 276937326, 289107417, 301277508, 313447599, 325617690, 337787781, 349957872, 362127963, 374298054, 386468145, 398638236, 410808327, 422978418, 435148509, 447318600, 459488691, 471658782, 483828873, 495998964, 508169055]",
         *           "micro_blocks": {
         *             "mh_SVPezZ4rsoGfX9kEmmqESYZTQs6RSRem73GW5QwhwrRZeVDW1": {
         *               "hash": "mh_SVPezZ4rsoGfX9kEmmqESYZTQs6RSRem73GW5QwhwrRZeVDW1",
         *               "pof_hash": "no_fraud",
         *               "prev_hash": "kh_VtFgDuQ7Awc6BtWRFLmjwo9UfuzL5rxmAxRuddNBYRT6njYnC",
         *               "prev_key_hash": "kh_VtFgDuQ7Awc6BtWRFLmjwo9UfuzL5rxmAxRuddNBYRT6njYnC",
         *               "signature": "sg_74s683vZKhbnAB7o3wxdhcjp56PP1H3BPHG3PdSuesXQ9zNxu1o3pY1o8eyA6VJ1Ek13roQw9A5Wrxhm62vVAZMS3jPXT",
         *               "state_hash": "bs_2kWEef9KUpaqboHJqHVgwVWuRrFByfzRGQXV54RV47kMyJuzDS",
         *               "time": 1546717623000,
         *               "txs_hash": "bx_4uWjPwMyH8vUUe3GQxGb39KMzHqLmEYfRANN14WSCy2jjYsuf",
         *               "version": 1,
         *               "transactions": {
         *                 "th_SZufyzxPitBWd9GcwUX6Wsam4yFJFF8qgD3sXytBYAPRScyfj": {
         *                   "block_hash": "mh_SVPezZ4rsoGfX9kEmmqESYZTQs6RSRem73GW5QwhwrRZeVDW1",
         *                   "block_height": 1209,
         *                   "hash": "th_SZufyzxPitBWd9GcwUX6Wsam4yFJFF8qgD3sXytBYAPRScyfj",
         *                   "signatures": [
         *                     "sg_VWKZDvWtYpMtDR73XEa4dYDYNBAXCQYywCCi82Qg179adHLXZ5Ff7pDXW8uMsLvPpgeP6gh5fMkzYNpNKxJHF7HVNbBGF"
         *                   ],
         *                   "tx": {
         *                     "amount": 20000000000000000,
         *                     "fee": 16840000000000,
         *                     "nonce": 130,
         *                     "payload": "ba_Xfbg4g==",
         *                     "recipient_id": "ak_22do7DzdcNknYKyFzKssjDicnH68nNYPUucozdA51o8rAtgX8y",
         *                     "sender_id": "ak_2i9GVHCZTWkRKoLqSwCUaZ7gbLXfVSgwfwTNUBCmMV1MVjRPPf",
         *                     "ttl": 1300,
         *                     "type": "SpendTx",
         *                     "version": 1
         *                   }
         *                 }
         *               }
         *             }
         *           }
         *         }
         *       }
         *     }
         */
        Generations: {
            /** @description Transactions in this answer. */
            total_transactions: number;
            /** @description Micro blocks in this answer. */
            total_micro_blocks: number;
            /** @description Generations by height. */
            data: {
                [key: string]: components["schemas"]["WholeGeneration"];
            };
        };
        /** @description A key block with its micro blocks by hash. */
        WholeGeneration: {
            beneficiary: components["schemas"]["AccountId"];
            hash: components["schemas"]["KeyBlockHash"];
            /** @description Height of a generation. */
            height: number;
            info?: string;
            miner: components["schemas"]["AccountId"];
            prev_hash: components["schemas"]["BlockHash"];
            prev_key_hash: components["schemas"]["KeyBlockHash"];
            state_hash?: string;
            target: components["schemas"]["BigNumber"];
            /** @description Milliseconds since 1970, UTC. */
            time: number;
            /** @description Number of the protocol. */
            version: number;
            nonce: string;
            pow: string;
            micro_blocks: {
                [key: string]: components["schemas"]["WholeMicroBlock"];
            };
        } & {
            [key: string]: unknown;
        };
        /** @description An account. */
        AccountId: string;
        /** @description The hash of a key block. */
        KeyBlockHash: string;
        /** @description The hash of a key block or a micro block. */
        BlockHash: string;
        /** @description A whole number with all its digits, also beyond 2^53: read it with a parser for big numbers. */
        BigNumber: number;
        /** @description A micro block with its transactions by hash. */
        WholeMicroBlock: {
            hash: components["schemas"]["MicroBlockHash"];
            pof_hash?: string;
            prev_hash: components["schemas"]["BlockHash"];
            prev_key_hash: components["schemas"]["KeyBlockHash"];
            signature?: components["schemas"]["Signature"];
            state_hash?: string;
            /** @description Milliseconds since 1970, UTC. */
            time: number;
            txs_hash?: string;
            version?: number;
            transactions: {
                [key: string]: components["schemas"]["Transaction"];
            };
        } & {
            [key: string]: unknown;
        };
        RawGeneration: {
            key_block: components["schemas"]["ToldKeyBlock"];
            micro_blocks: {
                micro_block: components["schemas"]["ToldMicroBlock"];
                transactions: components["schemas"]["RawRecord"][];
            }[];
        };
        /**
         * @description A key block whose `nonce` and `pow` are text.
         * @example {
         *       "beneficiary": "ak_6DifmF7SxmjUxeHoWVgZ1YMHnGDBPWAZesCPSgP4kLnwPf1be",
         *       "hash": "kh_VtFgDuQ7Awc6BtWRFLmjwo9UfuzL5rxmAxRuddNBYRT6njYnC",
         *       "height": 1209,
         *       "info": "cb_Xfbg4g==",
         *       "miner": "ak_9G4xVKQYZVAB5bzgB2koU5CFwagTsCrcxrAb8KMauohLjb5Lg",
         *       "prev_hash": "kh_NbW4ijWJcGUYh4hHQHGGN7Dt78C8xkCpBj95iMmZAbaZ5zRKn",
         *       "prev_key_hash": "kh_NbW4ijWJcGUYh4hHQHGGN7Dt78C8xkCpBj95iMmZAbaZ5zRKn",
         *       "state_hash": "bs_ghTKSeJsDC1qGareZP8YCsoj2UzriKRKqBkUWEpyui79gCaxh",
         *       "target": 503824559,
         *       "time": 1546717620000,
         *       "version": 1,
         *       "nonce": "15041902164601591738",
         *       "pow": "[9195324, 21365415, 33535506, 45705597, 57875688, 70045779, 82215870, 94385961, 106556052, 118726143, 130896234, 143066325, 155236416, 167406507, 179576598, 191746689, 203916780, 216086871, 228256962, 240427053, 252597144, 264767235, 276937326, 289107417, 301277508, 313447599, 325617690, 337787781, 349957872, 362127963, 374298054, 386468145, 398638236, 410808327, 422978418, 435148509, 447318600, 459488691, 471658782, 483828873, 495998964, 508169055]"
         *     }
         */
        ToldKeyBlock: {
            beneficiary: components["schemas"]["AccountId"];
            hash: components["schemas"]["KeyBlockHash"];
            /** @description Height of a generation. */
            height: number;
            info?: string;
            miner: components["schemas"]["AccountId"];
            prev_hash: components["schemas"]["BlockHash"];
            prev_key_hash: components["schemas"]["KeyBlockHash"];
            state_hash?: string;
            target: components["schemas"]["BigNumber"];
            /** @description Milliseconds since 1970, UTC. */
            time: number;
            /** @description Number of the protocol. */
            version: number;
            nonce: string;
            pow: string;
        } & {
            [key: string]: unknown;
        };
        ToldMicroBlock: {
            hash: components["schemas"]["MicroBlockHash"];
            pof_hash?: string;
            prev_hash: components["schemas"]["BlockHash"];
            prev_key_hash: components["schemas"]["KeyBlockHash"];
            signature?: components["schemas"]["Signature"];
            state_hash?: string;
            /** @description Milliseconds since 1970, UTC. */
            time: number;
            txs_hash?: string;
            version?: number;
        } & {
            [key: string]: unknown;
        };
        /**
         * @description A transaction with its figures beside it.
         * @example {
         *       "block_height": 161200,
         *       "block_hash": "mh_2fEGCiiQKf1U7pZwcPEqrpm5Ss5yzvXBouVGLZbQu7X8AtSvDh",
         *       "hash": "th_JZZRNL3HmciNJtVZyqQnRPavBM78wbL7RCMN9iAbNzoink32a",
         *       "signatures": "sg_EJMAxruTY7d8yeUTykAgkQ9dtJ8nBgva9bcPxhY2anTqTjGPNBEth6Z9BfJhfcKSvYuPTyVrCdwpxVKmPgaafkirxYgQn",
         *       "tx_type": "NameClaimTx",
         *       "tx": {
         *         "account_id": "ak_2i9GVHCZTWkRKoLqSwCUaZ7gbLXfVSgwfwTNUBCmMV1MVjRPPf",
         *         "fee": 16660000000000,
         *         "name": "myname.chain",
         *         "name_fee": 53994045000000,
         *         "name_salt": 0,
         *         "nonce": 140,
         *         "ttl": 161600,
         *         "type": "NameClaimTx",
         *         "version": 2
         *       },
         *       "fee": "16660000000000",
         *       "size": 217
         *     }
         */
        RawRecord: {
            /** @description Height of a generation. */
            block_height: number;
            block_hash: components["schemas"]["MicroBlockHash"];
            hash: components["schemas"]["TransactionHash"];
            /** @description All signatures, separated by spaces. */
            signatures: string | null;
            tx_type: string;
            tx: components["schemas"]["Tx"];
            fee: components["schemas"]["Aettos"];
            /** @description Bytes of `tx` as compact JSON. */
            size: number;
        };
        /**
         * @example {
         *       "height": 1209
         *     }
         */
        Height: {
            /** @description Height of a generation. */
            height: number;
        };
        /**
         * @description What the key block earns its beneficiary.
         * @example {
         *       "height": 1209,
         *       "coinbase": "473000000000000000000",
         *       "beneficiary": "ak_6DifmF7SxmjUxeHoWVgZ1YMHnGDBPWAZesCPSgP4kLnwPf1be",
         *       "fees": "197648000000001",
         *       "total": "473000197648000000001"
         *     }
         */
        Reward: {
            /** @description Height of a generation. */
            height: number;
            coinbase: components["schemas"]["Aettos"];
            beneficiary: components["schemas"]["AccountId"];
            /** @description The part of the fees that goes to this key block. */
            fees: components["schemas"]["Aettos"];
            total: components["schemas"]["Aettos"];
        };
        /**
         * @example {
         *       "size": 499426140
         *     }
         */
        Size: {
            size: number;
        };
        /**
         * @description One claim of a name and what became of it.
         * @example {
         *       "name": "example21.test",
         *       "name_hash": "nm_2chXaJo3aap8pPQ92DpgJVjWnmqjRdW7zj7UmVq6pTsEbQSVb1",
         *       "tx_hash": "th_cXuUkKNrtXdc73cPRnSA6xnEMBispJ39toz8L3wzDReorYEdJ",
         *       "created_at_height": 1102,
         *       "auction_end_height": 1102,
         *       "owner": "ak_2i9GVHCZTWkRKoLqSwCUaZ7gbLXfVSgwfwTNUBCmMV1MVjRPPf",
         *       "expires_at": 51103,
         *       "pointers": [
         *         {
         *           "key": "account_pubkey",
         *           "id": "ak_2i9GVHCZTWkRKoLqSwCUaZ7gbLXfVSgwfwTNUBCmMV1MVjRPPf"
         *         }
         *       ]
         *     }
         */
        NameRecord: {
            name: string;
            name_hash: components["schemas"]["NameHash"];
            /** @description The claim. */
            tx_hash: components["schemas"]["TransactionHash"];
            /** @description Height of the claim. */
            created_at_height: number;
            /** @description Height of the claim where there was no auction. */
            auction_end_height: number;
            /** @description During an auction the highest bidder. */
            owner: components["schemas"]["AccountId"];
            /** @description Height of a generation. */
            expires_at: number;
            /** @description Null where the name was never updated. */
            pointers: components["schemas"]["Pointer"][] | null;
        };
        /** @description The hash of a name. */
        NameHash: string;
        Pointer: {
            key: string;
            id: string;
        } & {
            [key: string]: unknown;
        };
        /**
         * @description The latest auction of a name.
         * @example {
         *       "name": "myname.chain",
         *       "expiration": 176080,
         *       "winning_bid": "53994045000000000000",
         *       "winning_bidder": "ak_2i9GVHCZTWkRKoLqSwCUaZ7gbLXfVSgwfwTNUBCmMV1MVjRPPf"
         *     }
         */
        AuctionEntry: {
            name: string;
            /** @description Height at which the auction ends. */
            expiration: number;
            winning_bid: components["schemas"]["Aettos"];
            winning_bidder: components["schemas"]["AccountId"];
        };
        /**
         * @example {
         *       "info": {
         *         "name": "myname.chain",
         *         "expiration": 176080,
         *         "winning_bid": "53994045000000000000",
         *         "winning_bidder": "ak_2i9GVHCZTWkRKoLqSwCUaZ7gbLXfVSgwfwTNUBCmMV1MVjRPPf"
         *       },
         *       "bids": [
         *         {
         *           "block_height": 161200,
         *           "block_hash": "mh_2fEGCiiQKf1U7pZwcPEqrpm5Ss5yzvXBouVGLZbQu7X8AtSvDh",
         *           "hash": "th_JZZRNL3HmciNJtVZyqQnRPavBM78wbL7RCMN9iAbNzoink32a",
         *           "signatures": "sg_EJMAxruTY7d8yeUTykAgkQ9dtJ8nBgva9bcPxhY2anTqTjGPNBEth6Z9BfJhfcKSvYuPTyVrCdwpxVKmPgaafkirxYgQn",
         *           "tx_type": "NameClaimTx",
         *           "tx": {
         *             "account_id": "ak_2i9GVHCZTWkRKoLqSwCUaZ7gbLXfVSgwfwTNUBCmMV1MVjRPPf",
         *             "fee": 16660000000000,
         *             "name": "myname.chain",
         *             "name_fee": 53994045000000,
         *             "name_salt": 0,
         *             "nonce": 140,
         *             "ttl": 161600,
         *             "type": "NameClaimTx",
         *             "version": 2
         *           },
         *           "fee": "16660000000000",
         *           "size": 217
         *         }
         *       ]
         *     }
         */
        AuctionInfo: {
            info: components["schemas"]["AuctionEntry"];
            /** @description Newest first. */
            bids: components["schemas"]["RawRecord"][];
        };
        AccountBid: {
            name_auction_entry: components["schemas"]["AuctionEntry"];
            transaction: components["schemas"]["RawRecord"];
        };
        /** @description A contract and where it was created. */
        Contract: {
            contract_id: components["schemas"]["ContractId"];
            transaction_hash: components["schemas"]["TransactionHash"];
            /** @description Height of a generation. */
            block_height: number;
        };
        /** @description A contract. */
        ContractId: string;
        /** @description A decoded call. */
        ContractCall: {
            transaction_id: components["schemas"]["TransactionHash"];
            contract_id: components["schemas"]["ContractId"];
            caller_id: components["schemas"]["AccountId"];
            /** @description The called function and its arguments, decoded. */
            arguments: {
                function: string;
                arguments: ({
                    type: unknown;
                    value: unknown;
                } & {
                    [key: string]: unknown;
                })[];
            } & {
                [key: string]: unknown;
            };
            /** @description The node's `call_info` of the transaction. */
            callinfo: ({
                return_type: string;
            } & {
                [key: string]: unknown;
            }) | null;
            /** @description The returned value, where it was decoded. */
            result: {
                [key: string]: unknown;
            } | null;
        };
        /** @description What kept the compiler from answering. */
        CompilerError: {
            error: string;
        };
        /** @description An active oracle. */
        Oracle: {
            oracle_id: components["schemas"]["OracleId"];
            /** @description The latest registration. */
            transaction_hash: components["schemas"]["TransactionHash"];
            /** @description Height of the latest registration. */
            block_height: number;
            /** @description Height of a generation. */
            expires_at: number;
            tx: components["schemas"]["Tx"];
        };
        /** @description An oracle. */
        OracleId: string;
        /** @description A question to an oracle and its answer. */
        Question: {
            query_id: components["schemas"]["QueryId"];
            request: components["schemas"]["ToldTx"];
            /** @description Null while there is no answer. */
            response: ({
                type: string;
                hash: components["schemas"]["TransactionHash"];
                /** @description Time of the micro block, ms since 1970. */
                timestamp: number;
            } & {
                [key: string]: unknown;
            }) | null;
        };
        /** @description A question to an oracle. */
        QueryId: string;
        /** @description A transaction object with its hash and time. */
        ToldTx: {
            type: string;
            hash: components["schemas"]["TransactionHash"];
            /** @description Time of the micro block, ms since 1970. */
            timestamp: number;
        } & {
            [key: string]: unknown;
        };
        /** @description A state channel. */
        ChannelId: string;
        /**
         * @example {
         *       "key_block": {
         *         "beneficiary": "ak_6DifmF7SxmjUxeHoWVgZ1YMHnGDBPWAZesCPSgP4kLnwPf1be",
         *         "hash": "kh_VtFgDuQ7Awc6BtWRFLmjwo9UfuzL5rxmAxRuddNBYRT6njYnC",
         *         "height": 1209,
         *         "info": "cb_Xfbg4g==",
         *         "miner": "ak_9G4xVKQYZVAB5bzgB2koU5CFwagTsCrcxrAb8KMauohLjb5Lg",
         *         "prev_hash": "kh_NbW4ijWJcGUYh4hHQHGGN7Dt78C8xkCpBj95iMmZAbaZ5zRKn",
         *         "prev_key_hash": "kh_NbW4ijWJcGUYh4hHQHGGN7Dt78C8xkCpBj95iMmZAbaZ5zRKn",
         *         "state_hash": "bs_ghTKSeJsDC1qGareZP8YCsoj2UzriKRKqBkUWEpyui79gCaxh",
         *         "target": 503824559,
         *         "time": 1546717620000,
         *         "version": 1,
         *         "nonce": 8190216460159173,
         *         "pow": [
         *           9195324,
         *           21365415,
         *           33535506,
         *           45705597,
         *           57875688,
         *           70045779,
         *           82215870,
         *           94385961,
         *           106556052,
         *           118726143,
         *           130896234,
         *           143066325,
         *           155236416,
         *           167406507,
         *           179576598,
         *           191746689,
         *           203916780,
         *           216086871,
         *           228256962,
         *           240427053,
         *           252597144,
         *           264767235,
         *           276937326,
         *           289107417,
         *           301277508,
         *           313447599,
         *           325617690,
         *           337787781,
         *           349957872,
         *           362127963,
         *           374298054,
         *           386468145,
         *           398638236,
         *           410808327,
         *           422978418,
         *           435148509,
         *           447318600,
         *           459488691,
         *           471658782,
         *           483828873,
         *           495998964,
         *           508169055
         *         ]
         *       },
         *       "micro_blocks": [
         *         "mh_SVPezZ4rsoGfX9kEmmqESYZTQs6RSRem73GW5QwhwrRZeVDW1"
         *       ]
         *     }
         */
        Generation: {
            key_block: components["schemas"]["KeyBlock"];
            micro_blocks: components["schemas"]["MicroBlockHash"][];
        };
        /**
         * @description A key block as the node returns it.
         * @example {
         *       "beneficiary": "ak_6DifmF7SxmjUxeHoWVgZ1YMHnGDBPWAZesCPSgP4kLnwPf1be",
         *       "hash": "kh_VtFgDuQ7Awc6BtWRFLmjwo9UfuzL5rxmAxRuddNBYRT6njYnC",
         *       "height": 1209,
         *       "info": "cb_Xfbg4g==",
         *       "miner": "ak_9G4xVKQYZVAB5bzgB2koU5CFwagTsCrcxrAb8KMauohLjb5Lg",
         *       "prev_hash": "kh_NbW4ijWJcGUYh4hHQHGGN7Dt78C8xkCpBj95iMmZAbaZ5zRKn",
         *       "prev_key_hash": "kh_NbW4ijWJcGUYh4hHQHGGN7Dt78C8xkCpBj95iMmZAbaZ5zRKn",
         *       "state_hash": "bs_ghTKSeJsDC1qGareZP8YCsoj2UzriKRKqBkUWEpyui79gCaxh",
         *       "target": 503824559,
         *       "time": 1546717620000,
         *       "version": 1,
         *       "nonce": 8190216460159173,
         *       "pow": [
         *         9195324,
         *         21365415,
         *         33535506,
         *         45705597,
         *         57875688,
         *         70045779,
         *         82215870,
         *         94385961,
         *         106556052,
         *         118726143,
         *         130896234,
         *         143066325,
         *         155236416,
         *         167406507,
         *         179576598,
         *         191746689,
         *         203916780,
         *         216086871,
         *         228256962,
         *         240427053,
         *         252597144,
         *         264767235,
         *         276937326,
         *         289107417,
         *         301277508,
         *         313447599,
         *         325617690,
         *         337787781,
         *         349957872,
         *         362127963,
         *         374298054,
         *         386468145,
         *         398638236,
         *         410808327,
         *         422978418,
         *         435148509,
         *         447318600,
         *         459488691,
         *         471658782,
         *         483828873,
         *         495998964,
         *         508169055
         *       ]
         *     }
         */
        KeyBlock: {
            beneficiary: components["schemas"]["AccountId"];
            hash: components["schemas"]["KeyBlockHash"];
            /** @description Height of a generation. */
            height: number;
            info?: string;
            miner: components["schemas"]["AccountId"];
            prev_hash: components["schemas"]["BlockHash"];
            prev_key_hash: components["schemas"]["KeyBlockHash"];
            state_hash?: string;
            target: components["schemas"]["BigNumber"];
            /** @description Milliseconds since 1970, UTC. */
            time: number;
            /** @description Number of the protocol. */
            version: number;
            nonce?: components["schemas"]["BigNumber"];
            pow?: number[];
        } & {
            [key: string]: unknown;
        };
        /**
         * @description The node's own error; newer releases add `error_code`.
         * @example {
         *       "reason": "Block not found",
         *       "error_code": "block_not_found"
         *     }
         */
        NodeError: {
            reason: string;
        } & {
            [key: string]: unknown;
        };
        /**
         * @description A micro block as the node returns it.
         * @example {
         *       "hash": "mh_SVPezZ4rsoGfX9kEmmqESYZTQs6RSRem73GW5QwhwrRZeVDW1",
         *       "pof_hash": "no_fraud",
         *       "prev_hash": "kh_VtFgDuQ7Awc6BtWRFLmjwo9UfuzL5rxmAxRuddNBYRT6njYnC",
         *       "prev_key_hash": "kh_VtFgDuQ7Awc6BtWRFLmjwo9UfuzL5rxmAxRuddNBYRT6njYnC",
         *       "signature": "sg_74s683vZKhbnAB7o3wxdhcjp56PP1H3BPHG3PdSuesXQ9zNxu1o3pY1o8eyA6VJ1Ek13roQw9A5Wrxhm62vVAZMS3jPXT",
         *       "state_hash": "bs_2kWEef9KUpaqboHJqHVgwVWuRrFByfzRGQXV54RV47kMyJuzDS",
         *       "time": 1546717623000,
         *       "txs_hash": "bx_4uWjPwMyH8vUUe3GQxGb39KMzHqLmEYfRANN14WSCy2jjYsuf",
         *       "version": 1,
         *       "height": 1209
         *     }
         */
        MicroBlockHeader: {
            hash: components["schemas"]["MicroBlockHash"];
            pof_hash?: string;
            prev_hash: components["schemas"]["BlockHash"];
            prev_key_hash: components["schemas"]["KeyBlockHash"];
            signature?: components["schemas"]["Signature"];
            state_hash?: string;
            /** @description Milliseconds since 1970, UTC. */
            time: number;
            txs_hash?: string;
            version?: number;
            /** @description Height of a generation. */
            height: number;
        } & {
            [key: string]: unknown;
        };
        /**
         * @example {
         *       "OK": true,
         *       "queue_length": 0,
         *       "seconds_since_last_block": 157,
         *       "errors_last_500_blocks": 0,
         *       "proven_height": 1210,
         *       "version": "1.0.0"
         *     }
         */
        Status: {
            OK: boolean;
            /** @description Heights waiting to be loaded. */
            queue_length: number;
            /** @description Null while nothing is stored. */
            seconds_since_last_block: number | null;
            /** @description Transactions of the last 500 heights that could not be understood. */
            errors_last_500_blocks: number;
            /** @description Height up to which all that is stored is proven by its hashes; null while nothing is. */
            proven_height: number | null;
            /** @description The service's version. */
            version: string;
            /** @description Transactions and blocks of the last 500 heights that could not be proven, by type; absent if there are none. */
            unproven_last_500_blocks?: {
                [key: string]: number;
            };
            /** @description What the populator waits for, while it does. */
            node_state?: string;
            /** @description A reorg that waits for a second node or mdw accept-reorg, while one does. */
            held_reorg?: {
                /** @description Top key block of the branch. */
                hash: string;
                /** @description Height of a generation. */
                height: number;
                /** @description Key blocks that it would take back. */
                depth: number;
            };
            /** @description Why it waits, such as the block and the member that are not proven. */
            node_reason?: string;
        };
        /**
         * @example {
         *       "alive": true
         *     }
         */
        Liveness: {
            /** @constant */
            alive: true;
        };
        /**
         * @example {
         *       "ready": true,
         *       "height": 1210,
         *       "head_time": 1700000000000,
         *       "node_height": 1210,
         *       "node_state": "ok",
         *       "lag": 0,
         *       "loading": false
         *     }
         */
        Readiness: {
            ready: boolean;
            /** @description Why not; absent when ready. */
            reason?: string;
            /** @description The same for programs: the code of a fault, or `starting`, `loading`, `lag_unknown`, `behind`. */
            code?: string;
            height?: number | null;
            /** @description Time of the head key block, ms since 1970. */
            head_time?: number | null;
            node_height?: number | null;
            node_state?: string | null;
            /** @description Key blocks behind the node; null when unknown. */
            lag?: number | null;
            /** @description The first load has not yet reached the top. */
            loading?: boolean;
            /** @description A reorg that waits for a second node or mdw accept-reorg, while one does. */
            held_reorg?: {
                /** @description Top key block of the branch. */
                hash: string;
                /** @description Height of a generation. */
                height: number;
                /** @description Key blocks that it would take back. */
                depth: number;
            };
        };
    };
    responses: {
        /** @description What the client has is still right. */
        NotModified: {
            headers: {
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description A parameter is malformed; the reason names it and what is allowed. */
        BadRequest: {
            headers: {
                /** @description Name of this request in the logs; the one of the request if it had one. */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The head is lower than the `x-min-height` of the request. */
        HeadTooLow: {
            headers: {
                /** @description Name of this request in the logs; the one of the request if it had one. */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The address is too long. */
        AddressTooLong: {
            headers: {
                /** @description Name of this request in the logs; the one of the request if it had one. */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Too many requests of this client. */
        TooManyRequests: {
            headers: {
                /** @description Name of this request in the logs; the one of the request if it had one. */
                "x-request-id"?: string;
                /** @description Seconds after which to try again. */
                "Retry-After"?: number;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The target and headers of the request are too large. */
        HeaderTooLarge: {
            headers: {
                /** @description Name of this request in the logs; the one of the request if it had one. */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description A fault of the service. */
        InternalError: {
            headers: {
                /** @description Name of this request in the logs; the one of the request if it had one. */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The database cannot answer just now. */
        Unavailable: {
            headers: {
                /** @description Name of this request in the logs; the one of the request if it had one. */
                "x-request-id"?: string;
                /** @description Seconds after which to try again. */
                "Retry-After"?: number;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description There is no such thing. */
        NotFound: {
            headers: {
                /** @description Name of this request in the logs; the one of the request if it had one. */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body is too large. */
        TooLarge: {
            headers: {
                /** @description Name of this request in the logs; the one of the request if it had one. */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body is not JSON by its type. */
        UnsupportedMediaType: {
            headers: {
                /** @description Name of this request in the logs; the one of the request if it had one. */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description A member of the body is missing or of the wrong type. */
        UnprocessableContent: {
            headers: {
                /** @description Name of this request in the logs; the one of the request if it had one. */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The node's own refusal. */
        NodeRefusal400: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["NodeError"];
            };
        };
        /** @description The node's own refusal. */
        NodeRefusal404: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["NodeError"];
            };
        };
        /** @description The node's own refusal. */
        NodeRefusal410: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["NodeError"];
            };
        };
        /** @description The node could not be reached. */
        BadGateway: {
            headers: {
                /** @description Name of this request in the logs; the one of the request if it had one. */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The node did not answer in time. */
        GatewayTimeout: {
            headers: {
                /** @description Name of this request in the logs; the one of the request if it had one. */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The events asked for are no longer kept. */
        Gone: {
            headers: {
                /** @description Name of this request in the logs; the one of the request if it had one. */
                "x-request-id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getTxByAccount: {
        parameters: {
            query?: {
                limit?: number | string;
                page?: number | string;
                cursor?: string;
                txtype?: string;
                tx_type?: string;
                after?: string;
            };
            header?: never;
            path: {
                /** @description An account. An identifier: prefix, base58 and checksum. One of another kind than expected finds nothing. */
                account: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Transactions of an account, newest first */
            200: {
                headers: {
                    /** @description Name of this request in the logs; the one of the request if it had one. */
                    "x-request-id"?: string;
                    /** @description Height of the key block that the answer was made from. */
                    "x-chain-height"?: number;
                    /** @description Hash of that key block. */
                    "x-chain-hash"?: string;
                    /** @description Names these bytes: with `If-None-Match` they are sent only if they have changed. */
                    ETag?: string;
                    /** @description How long the answer may be kept. */
                    "Cache-Control"?: string;
                    /** @description `true` where the answer holds less than was asked for. */
                    "x-limit-capped"?: string;
                    /** @description Of generations, the rule by which the oldest are missing: `generations` (LIMIT_CAP) or `transactions` (20 times as many). */
                    "x-limit-capped-by"?: string;
                    /** @description Length of the whole list, where it is known. */
                    "x-total-count"?: number;
                    /** @description The next page, while there is one: `rel="next"`. */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TimedTransaction"][];
                    "text/csv": string;
                    "application/x-ndjson": string;
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            412: components["responses"]["HeadTooLow"];
            414: components["responses"]["AddressTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeaderTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getTxCountByAddress: {
        parameters: {
            query?: {
                txtype?: string;
                tx_type?: string;
            };
            header?: never;
            path: {
                /** @description An account. An identifier: prefix, base58 and checksum. One of another kind than expected finds nothing. */
                account: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Number of transactions of an account */
            200: {
                headers: {
                    /** @description Name of this request in the logs; the one of the request if it had one. */
                    "x-request-id"?: string;
                    /** @description Height of the key block that the answer was made from. */
                    "x-chain-height"?: number;
                    /** @description Hash of that key block. */
                    "x-chain-hash"?: string;
                    /** @description Names these bytes: with `If-None-Match` they are sent only if they have changed. */
                    ETag?: string;
                    /** @description How long the answer may be kept. */
                    "Cache-Control"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Count"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            412: components["responses"]["HeadTooLow"];
            414: components["responses"]["AddressTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeaderTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getTxBetweenAddress: {
        parameters: {
            query?: {
                limit?: number | string;
                page?: number | string;
                cursor?: string;
                txtype?: string;
                tx_type?: string;
            };
            header?: never;
            path: {
                /** @description An account. An identifier: prefix, base58 and checksum. One of another kind than expected finds nothing. */
                sender: string;
                /** @description An account. An identifier: prefix, base58 and checksum. One of another kind than expected finds nothing. */
                receiver: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Spends from one account to another, newest first */
            200: {
                headers: {
                    /** @description Name of this request in the logs; the one of the request if it had one. */
                    "x-request-id"?: string;
                    /** @description Height of the key block that the answer was made from. */
                    "x-chain-height"?: number;
                    /** @description Hash of that key block. */
                    "x-chain-hash"?: string;
                    /** @description Names these bytes: with `If-None-Match` they are sent only if they have changed. */
                    ETag?: string;
                    /** @description How long the answer may be kept. */
                    "Cache-Control"?: string;
                    /** @description `true` where the answer holds less than was asked for. */
                    "x-limit-capped"?: string;
                    /** @description Of generations, the rule by which the oldest are missing: `generations` (LIMIT_CAP) or `transactions` (20 times as many). */
                    "x-limit-capped-by"?: string;
                    /** @description Length of the whole list, where it is known. */
                    "x-total-count"?: number;
                    /** @description The next page, while there is one: `rel="next"`. */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Transactions"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            412: components["responses"]["HeadTooLow"];
            414: components["responses"]["AddressTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeaderTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getTxByGenerationRange: {
        parameters: {
            query?: {
                limit?: number | string;
                page?: number | string;
                cursor?: string;
                txtype?: string;
                tx_type?: string;
                after?: string;
            };
            header?: never;
            path: {
                /** @description The lowest height, itself included. */
                from: number;
                /** @description The highest height, itself included. */
                to: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Transactions of the generations between two heights, newest first */
            200: {
                headers: {
                    /** @description Name of this request in the logs; the one of the request if it had one. */
                    "x-request-id"?: string;
                    /** @description Height of the key block that the answer was made from. */
                    "x-chain-height"?: number;
                    /** @description Hash of that key block. */
                    "x-chain-hash"?: string;
                    /** @description Names these bytes: with `If-None-Match` they are sent only if they have changed. */
                    ETag?: string;
                    /** @description How long the answer may be kept. */
                    "Cache-Control"?: string;
                    /** @description `true` where the answer holds less than was asked for. */
                    "x-limit-capped"?: string;
                    /** @description Of generations, the rule by which the oldest are missing: `generations` (LIMIT_CAP) or `transactions` (20 times as many). */
                    "x-limit-capped-by"?: string;
                    /** @description Length of the whole list, where it is known. */
                    "x-total-count"?: number;
                    /** @description The next page, while there is one: `rel="next"`. */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Transactions"];
                    "text/csv": string;
                    "application/x-ndjson": string;
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            412: components["responses"]["HeadTooLow"];
            414: components["responses"]["AddressTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeaderTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getTxRateByDateRange: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A day, UTC, as YYYYMMDD. It is itself left out. */
                from: string;
                /** @description A day, UTC, as YYYYMMDD. It is itself left out. */
                to: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Number and amount of the spends of each day between two days */
            200: {
                headers: {
                    /** @description Name of this request in the logs; the one of the request if it had one. */
                    "x-request-id"?: string;
                    /** @description Height of the key block that the answer was made from. */
                    "x-chain-height"?: number;
                    /** @description Hash of that key block. */
                    "x-chain-hash"?: string;
                    /** @description Names these bytes: with `If-None-Match` they are sent only if they have changed. */
                    ETag?: string;
                    /** @description How long the answer may be kept. */
                    "Cache-Control"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Rate"][];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            412: components["responses"]["HeadTooLow"];
            414: components["responses"]["AddressTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeaderTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getCurrentTxCount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Number of all transactions */
            200: {
                headers: {
                    /** @description Name of this request in the logs; the one of the request if it had one. */
                    "x-request-id"?: string;
                    /** @description Height of the key block that the answer was made from. */
                    "x-chain-height"?: number;
                    /** @description Hash of that key block. */
                    "x-chain-hash"?: string;
                    /** @description Names these bytes: with `If-None-Match` they are sent only if they have changed. */
                    ETag?: string;
                    /** @description How long the answer may be kept. */
                    "Cache-Control"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Count"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            412: components["responses"]["HeadTooLow"];
            414: components["responses"]["AddressTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeaderTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getTxCountAtHeight: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A height. Below 0 there is nothing; beyond the top counts as the top where sums are asked for. */
                height: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Number of the transactions up to a height */
            200: {
                headers: {
                    /** @description Name of this request in the logs; the one of the request if it had one. */
                    "x-request-id"?: string;
                    /** @description Height of the key block that the answer was made from. */
                    "x-chain-height"?: number;
                    /** @description Hash of that key block. */
                    "x-chain-hash"?: string;
                    /** @description Names these bytes: with `If-None-Match` they are sent only if they have changed. */
                    ETag?: string;
                    /** @description How long the answer may be kept. */
                    "Cache-Control"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Count"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            412: components["responses"]["HeadTooLow"];
            414: components["responses"]["AddressTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeaderTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getGenerationsByRange: {
        parameters: {
            query?: {
                limit?: number | string;
                page?: number | string;
            };
            header?: never;
            path: {
                /** @description The lowest height, itself included. */
                from: number;
                /** @description The highest height, itself included. */
                to: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Whole generations between two heights, by height */
            200: {
                headers: {
                    /** @description Name of this request in the logs; the one of the request if it had one. */
                    "x-request-id"?: string;
                    /** @description Height of the key block that the answer was made from. */
                    "x-chain-height"?: number;
                    /** @description Hash of that key block. */
                    "x-chain-hash"?: string;
                    /** @description Names these bytes: with `If-None-Match` they are sent only if they have changed. */
                    ETag?: string;
                    /** @description How long the answer may be kept. */
                    "Cache-Control"?: string;
                    /** @description `true` where the answer holds less than was asked for. */
                    "x-limit-capped"?: string;
                    /** @description Of generations, the rule by which the oldest are missing: `generations` (LIMIT_CAP) or `transactions` (20 times as many). */
                    "x-limit-capped-by"?: string;
                    /** @description Length of the whole list, where it is known. */
                    "x-total-count"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Generations"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            412: components["responses"]["HeadTooLow"];
            414: components["responses"]["AddressTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeaderTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getGenerationListByRange: {
        parameters: {
            query?: {
                limit?: number | string;
                page?: number | string;
            };
            header?: never;
            path: {
                /** @description The lowest height, itself included. */
                from: number;
                /** @description The highest height, itself included. */
                to: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Whole generations between two heights as a list, newest first */
            200: {
                headers: {
                    /** @description Name of this request in the logs; the one of the request if it had one. */
                    "x-request-id"?: string;
                    /** @description Height of the key block that the answer was made from. */
                    "x-chain-height"?: number;
                    /** @description Hash of that key block. */
                    "x-chain-hash"?: string;
                    /** @description Names these bytes: with `If-None-Match` they are sent only if they have changed. */
                    ETag?: string;
                    /** @description How long the answer may be kept. */
                    "Cache-Control"?: string;
                    /** @description `true` where the answer holds less than was asked for. */
                    "x-limit-capped"?: string;
                    /** @description Of generations, the rule by which the oldest are missing: `generations` (LIMIT_CAP) or `transactions` (20 times as many). */
                    "x-limit-capped-by"?: string;
                    /** @description Length of the whole list, where it is known. */
                    "x-total-count"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RawGeneration"][];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            412: components["responses"]["HeadTooLow"];
            414: components["responses"]["AddressTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeaderTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getHeightByTime: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Milliseconds since 1970, UTC. */
                milliseconds: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The lowest height whose key block is not older than a moment */
            200: {
                headers: {
                    /** @description Name of this request in the logs; the one of the request if it had one. */
                    "x-request-id"?: string;
                    /** @description Height of the key block that the answer was made from. */
                    "x-chain-height"?: number;
                    /** @description Hash of that key block. */
                    "x-chain-hash"?: string;
                    /** @description Names these bytes: with `If-None-Match` they are sent only if they have changed. */
                    ETag?: string;
                    /** @description How long the answer may be kept. */
                    "Cache-Control"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Height"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["HeadTooLow"];
            414: components["responses"]["AddressTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeaderTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getRewardAtHeight: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A height. Below 0 there is nothing; beyond the top counts as the top where sums are asked for. */
                height: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the key block of a height earns */
            200: {
                headers: {
                    /** @description Name of this request in the logs; the one of the request if it had one. */
                    "x-request-id"?: string;
                    /** @description Height of the key block that the answer was made from. */
                    "x-chain-height"?: number;
                    /** @description Hash of that key block. */
                    "x-chain-hash"?: string;
                    /** @description Names these bytes: with `If-None-Match` they are sent only if they have changed. */
                    ETag?: string;
                    /** @description How long the answer may be kept. */
                    "Cache-Control"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Reward"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["HeadTooLow"];
            414: components["responses"]["AddressTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeaderTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getChainSize: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Size of all transactions in bytes */
            200: {
                headers: {
                    /** @description Name of this request in the logs; the one of the request if it had one. */
                    "x-request-id"?: string;
                    /** @description Height of the key block that the answer was made from. */
                    "x-chain-height"?: number;
                    /** @description Hash of that key block. */
                    "x-chain-hash"?: string;
                    /** @description Names these bytes: with `If-None-Match` they are sent only if they have changed. */
                    ETag?: string;
                    /** @description How long the answer may be kept. */
                    "Cache-Control"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Size"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            412: components["responses"]["HeadTooLow"];
            414: components["responses"]["AddressTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeaderTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getSizeAtHeight: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A height. Below 0 there is nothing; beyond the top counts as the top where sums are asked for. */
                height: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Size of the transactions up to a height in bytes */
            200: {
                headers: {
                    /** @description Name of this request in the logs; the one of the request if it had one. */
                    "x-request-id"?: string;
                    /** @description Height of the key block that the answer was made from. */
                    "x-chain-height"?: number;
                    /** @description Hash of that key block. */
                    "x-chain-hash"?: string;
                    /** @description Names these bytes: with `If-None-Match` they are sent only if they have changed. */
                    ETag?: string;
                    /** @description How long the answer may be kept. */
                    "Cache-Control"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Size"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            412: components["responses"]["HeadTooLow"];
            414: components["responses"]["AddressTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeaderTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAllNames: {
        parameters: {
            query?: {
                limit?: number | string;
                page?: number | string;
                cursor?: string;
                owner?: string;
                after?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All names, also those that have expired, latest claims first */
            200: {
                headers: {
                    /** @description Name of this request in the logs; the one of the request if it had one. */
                    "x-request-id"?: string;
                    /** @description Height of the key block that the answer was made from. */
                    "x-chain-height"?: number;
                    /** @description Hash of that key block. */
                    "x-chain-hash"?: string;
                    /** @description Names these bytes: with `If-None-Match` they are sent only if they have changed. */
                    ETag?: string;
                    /** @description How long the answer may be kept. */
                    "Cache-Control"?: string;
                    /** @description `true` where the answer holds less than was asked for. */
                    "x-limit-capped"?: string;
                    /** @description Of generations, the rule by which the oldest are missing: `generations` (LIMIT_CAP) or `transactions` (20 times as many). */
                    "x-limit-capped-by"?: string;
                    /** @description Length of the whole list, where it is known. */
                    "x-total-count"?: number;
                    /** @description The next page, while there is one: `rel="next"`. */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NameRecord"][];
                    "text/csv": string;
                    "application/x-ndjson": string;
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            412: components["responses"]["HeadTooLow"];
            414: components["responses"]["AddressTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeaderTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getActiveNames: {
        parameters: {
            query?: {
                limit?: number | string;
                page?: number | string;
                cursor?: string;
                owner?: string;
                reverse?: string;
                after?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Names that are claimed and have not expired, latest claims first */
            200: {
                headers: {
                    /** @description Name of this request in the logs; the one of the request if it had one. */
                    "x-request-id"?: string;
                    /** @description Height of the key block that the answer was made from. */
                    "x-chain-height"?: number;
                    /** @description Hash of that key block. */
                    "x-chain-hash"?: string;
                    /** @description Names these bytes: with `If-None-Match` they are sent only if they have changed. */
                    ETag?: string;
                    /** @description How long the answer may be kept. */
                    "Cache-Control"?: string;
                    /** @description `true` where the answer holds less than was asked for. */
                    "x-limit-capped"?: string;
                    /** @description Of generations, the rule by which the oldest are missing: `generations` (LIMIT_CAP) or `transactions` (20 times as many). */
                    "x-limit-capped-by"?: string;
                    /** @description Length of the whole list, where it is known. */
                    "x-total-count"?: number;
                    /** @description The next page, while there is one: `rel="next"`. */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NameRecord"][];
                    "text/csv": string;
                    "application/x-ndjson": string;
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            412: components["responses"]["HeadTooLow"];
            414: components["responses"]["AddressTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeaderTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    searchName: {
        parameters: {
            query?: {
                limit?: number | string;
                page?: number | string;
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description Part of a name, in any letters. `active`, `reverse`, `hash` and `auctions` lead elsewhere. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Names that contain a text, also those that have expired */
            200: {
                headers: {
                    /** @description Name of this request in the logs; the one of the request if it had one. */
                    "x-request-id"?: string;
                    /** @description Height of the key block that the answer was made from. */
                    "x-chain-height"?: number;
                    /** @description Hash of that key block. */
                    "x-chain-hash"?: string;
                    /** @description Names these bytes: with `If-None-Match` they are sent only if they have changed. */
                    ETag?: string;
                    /** @description How long the answer may be kept. */
                    "Cache-Control"?: string;
                    /** @description `true` where the answer holds less than was asked for. */
                    "x-limit-capped"?: string;
                    /** @description Of generations, the rule by which the oldest are missing: `generations` (LIMIT_CAP) or `transactions` (20 times as many). */
                    "x-limit-capped-by"?: string;
                    /** @description Length of the whole list, where it is known. */
                    "x-total-count"?: number;
                    /** @description The next page, while there is one: `rel="next"`. */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NameRecord"][];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["HeadTooLow"];
            414: components["responses"]["AddressTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeaderTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getNameByAddress: {
        parameters: {
            query?: {
                limit?: number | string;
                page?: number | string;
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description What names point to: an account, a contract, an oracle or a channel. An identifier: prefix, base58 and checksum. One of another kind than expected finds nothing. */
                account: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Active names that point to an object, by name */
            200: {
                headers: {
                    /** @description Name of this request in the logs; the one of the request if it had one. */
                    "x-request-id"?: string;
                    /** @description Height of the key block that the answer was made from. */
                    "x-chain-height"?: number;
                    /** @description Hash of that key block. */
                    "x-chain-hash"?: string;
                    /** @description Names these bytes: with `If-None-Match` they are sent only if they have changed. */
                    ETag?: string;
                    /** @description How long the answer may be kept. */
                    "Cache-Control"?: string;
                    /** @description `true` where the answer holds less than was asked for. */
                    "x-limit-capped"?: string;
                    /** @description Of generations, the rule by which the oldest are missing: `generations` (LIMIT_CAP) or `transactions` (20 times as many). */
                    "x-limit-capped-by"?: string;
                    /** @description Length of the whole list, where it is known. */
                    "x-total-count"?: number;
                    /** @description The next page, while there is one: `rel="next"`. */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NameRecord"][];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            412: components["responses"]["HeadTooLow"];
            414: components["responses"]["AddressTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeaderTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getNameForHash: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The hash of a name. An identifier: prefix, base58 and checksum. One of another kind than expected finds nothing. */
                hash: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The name of a hash, its latest record */
            200: {
                headers: {
                    /** @description Name of this request in the logs; the one of the request if it had one. */
                    "x-request-id"?: string;
                    /** @description Height of the key block that the answer was made from. */
                    "x-chain-height"?: number;
                    /** @description Hash of that key block. */
                    "x-chain-hash"?: string;
                    /** @description Names these bytes: with `If-None-Match` they are sent only if they have changed. */
                    ETag?: string;
                    /** @description How long the answer may be kept. */
                    "Cache-Control"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        name: components["schemas"]["NameRecord"];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["HeadTooLow"];
            414: components["responses"]["AddressTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeaderTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getActiveNameAuctions: {
        parameters: {
            query?: {
                limit?: number | string;
                page?: number | string;
                sort?: string;
                reverse?: string;
                length?: number | string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Auctions that are running */
            200: {
                headers: {
                    /** @description Name of this request in the logs; the one of the request if it had one. */
                    "x-request-id"?: string;
                    /** @description Height of the key block that the answer was made from. */
                    "x-chain-height"?: number;
                    /** @description Hash of that key block. */
                    "x-chain-hash"?: string;
                    /** @description Names these bytes: with `If-None-Match` they are sent only if they have changed. */
                    ETag?: string;
                    /** @description How long the answer may be kept. */
                    "Cache-Control"?: string;
                    /** @description `true` where the answer holds less than was asked for. */
                    "x-limit-capped"?: string;
                    /** @description Of generations, the rule by which the oldest are missing: `generations` (LIMIT_CAP) or `transactions` (20 times as many). */
                    "x-limit-capped-by"?: string;
                    /** @description Length of the whole list, where it is known. */
                    "x-total-count"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuctionEntry"][];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            412: components["responses"]["HeadTooLow"];
            414: components["responses"]["AddressTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeaderTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getActiveNameAuctionsCount: {
        parameters: {
            query?: {
                length?: number | string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Number of the auctions that are running */
            200: {
                headers: {
                    /** @description Name of this request in the logs; the one of the request if it had one. */
                    "x-request-id"?: string;
                    /** @description Height of the key block that the answer was made from. */
                    "x-chain-height"?: number;
                    /** @description Hash of that key block. */
                    "x-chain-hash"?: string;
                    /** @description Names these bytes: with `If-None-Match` they are sent only if they have changed. */
                    ETag?: string;
                    /** @description How long the answer may be kept. */
                    "Cache-Control"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        count: number;
                        /** @constant */
                        result: "OK";
                    };
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            412: components["responses"]["HeadTooLow"];
            414: components["responses"]["AddressTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeaderTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAuctionInfo: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A name, in any letters. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The latest auction of a name with its bids */
            200: {
                headers: {
                    /** @description Name of this request in the logs; the one of the request if it had one. */
                    "x-request-id"?: string;
                    /** @description Height of the key block that the answer was made from. */
                    "x-chain-height"?: number;
                    /** @description Hash of that key block. */
                    "x-chain-hash"?: string;
                    /** @description Names these bytes: with `If-None-Match` they are sent only if they have changed. */
                    ETag?: string;
                    /** @description How long the answer may be kept. */
                    "Cache-Control"?: string;
                    /** @description `true` where the answer holds less than was asked for. */
                    "x-limit-capped"?: string;
                    /** @description Of generations, the rule by which the oldest are missing: `generations` (LIMIT_CAP) or `transactions` (20 times as many). */
                    "x-limit-capped-by"?: string;
                    /** @description Length of the whole list, where it is known. */
                    "x-total-count"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuctionInfo"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["HeadTooLow"];
            414: components["responses"]["AddressTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeaderTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getNameAuctionsBidsbyName: {
        parameters: {
            query?: {
                limit?: number | string;
                page?: number | string;
            };
            header?: never;
            path: {
                /** @description A name, in any letters. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Bids of the latest auction of a name, newest first */
            200: {
                headers: {
                    /** @description Name of this request in the logs; the one of the request if it had one. */
                    "x-request-id"?: string;
                    /** @description Height of the key block that the answer was made from. */
                    "x-chain-height"?: number;
                    /** @description Hash of that key block. */
                    "x-chain-hash"?: string;
                    /** @description Names these bytes: with `If-None-Match` they are sent only if they have changed. */
                    ETag?: string;
                    /** @description How long the answer may be kept. */
                    "Cache-Control"?: string;
                    /** @description `true` where the answer holds less than was asked for. */
                    "x-limit-capped"?: string;
                    /** @description Of generations, the rule by which the oldest are missing: `generations` (LIMIT_CAP) or `transactions` (20 times as many). */
                    "x-limit-capped-by"?: string;
                    /** @description Length of the whole list, where it is known. */
                    "x-total-count"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RawRecord"][];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            412: components["responses"]["HeadTooLow"];
            414: components["responses"]["AddressTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeaderTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getNameAuctionsBidsbyAddress: {
        parameters: {
            query?: {
                limit?: number | string;
                page?: number | string;
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description An account. An identifier: prefix, base58 and checksum. One of another kind than expected finds nothing. */
                account: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Claims and bids of an account with the auctions they are of, newest first */
            200: {
                headers: {
                    /** @description Name of this request in the logs; the one of the request if it had one. */
                    "x-request-id"?: string;
                    /** @description Height of the key block that the answer was made from. */
                    "x-chain-height"?: number;
                    /** @description Hash of that key block. */
                    "x-chain-hash"?: string;
                    /** @description Names these bytes: with `If-None-Match` they are sent only if they have changed. */
                    ETag?: string;
                    /** @description How long the answer may be kept. */
                    "Cache-Control"?: string;
                    /** @description `true` where the answer holds less than was asked for. */
                    "x-limit-capped"?: string;
                    /** @description Of generations, the rule by which the oldest are missing: `generations` (LIMIT_CAP) or `transactions` (20 times as many). */
                    "x-limit-capped-by"?: string;
                    /** @description Length of the whole list, where it is known. */
                    "x-total-count"?: number;
                    /** @description The next page, while there is one: `rel="next"`. */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountBid"][];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            412: components["responses"]["HeadTooLow"];
            414: components["responses"]["AddressTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeaderTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAllContracts: {
        parameters: {
            query?: {
                limit?: number | string;
                page?: number | string;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All contracts, newest first */
            200: {
                headers: {
                    /** @description Name of this request in the logs; the one of the request if it had one. */
                    "x-request-id"?: string;
                    /** @description Height of the key block that the answer was made from. */
                    "x-chain-height"?: number;
                    /** @description Hash of that key block. */
                    "x-chain-hash"?: string;
                    /** @description Names these bytes: with `If-None-Match` they are sent only if they have changed. */
                    ETag?: string;
                    /** @description How long the answer may be kept. */
                    "Cache-Control"?: string;
                    /** @description `true` where the answer holds less than was asked for. */
                    "x-limit-capped"?: string;
                    /** @description Of generations, the rule by which the oldest are missing: `generations` (LIMIT_CAP) or `transactions` (20 times as many). */
                    "x-limit-capped-by"?: string;
                    /** @description Length of the whole list, where it is known. */
                    "x-total-count"?: number;
                    /** @description The next page, while there is one: `rel="next"`. */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Contract"][];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            412: components["responses"]["HeadTooLow"];
            414: components["responses"]["AddressTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeaderTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getContractAddressCalls: {
        parameters: {
            query?: {
                limit?: number | string;
                page?: number | string;
                cursor?: string;
                after?: string;
            };
            header?: never;
            path: {
                /** @description A contract. An identifier: prefix, base58 and checksum. One of another kind than expected finds nothing. */
                address: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Decoded calls of a contract, oldest first */
            200: {
                headers: {
                    /** @description Name of this request in the logs; the one of the request if it had one. */
                    "x-request-id"?: string;
                    /** @description Height of the key block that the answer was made from. */
                    "x-chain-height"?: number;
                    /** @description Hash of that key block. */
                    "x-chain-hash"?: string;
                    /** @description Names these bytes: with `If-None-Match` they are sent only if they have changed. */
                    ETag?: string;
                    /** @description How long the answer may be kept. */
                    "Cache-Control"?: string;
                    /** @description `true` where the answer holds less than was asked for. */
                    "x-limit-capped"?: string;
                    /** @description Of generations, the rule by which the oldest are missing: `generations` (LIMIT_CAP) or `transactions` (20 times as many). */
                    "x-limit-capped-by"?: string;
                    /** @description Length of the whole list, where it is known. */
                    "x-total-count"?: number;
                    /** @description The next page, while there is one: `rel="next"`. */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContractCall"][];
                    "text/csv": string;
                    "application/x-ndjson": string;
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            412: components["responses"]["HeadTooLow"];
            414: components["responses"]["AddressTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeaderTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getContractTx: {
        parameters: {
            query?: {
                limit?: number | string;
                page?: number | string;
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description A contract. An identifier: prefix, base58 and checksum. One of another kind than expected finds nothing. */
                address: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Creation and calls of a contract, oldest first */
            200: {
                headers: {
                    /** @description Name of this request in the logs; the one of the request if it had one. */
                    "x-request-id"?: string;
                    /** @description Height of the key block that the answer was made from. */
                    "x-chain-height"?: number;
                    /** @description Hash of that key block. */
                    "x-chain-hash"?: string;
                    /** @description Names these bytes: with `If-None-Match` they are sent only if they have changed. */
                    ETag?: string;
                    /** @description How long the answer may be kept. */
                    "Cache-Control"?: string;
                    /** @description `true` where the answer holds less than was asked for. */
                    "x-limit-capped"?: string;
                    /** @description Of generations, the rule by which the oldest are missing: `generations` (LIMIT_CAP) or `transactions` (20 times as many). */
                    "x-limit-capped-by"?: string;
                    /** @description Length of the whole list, where it is known. */
                    "x-total-count"?: number;
                    /** @description The next page, while there is one: `rel="next"`. */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Transactions"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            412: components["responses"]["HeadTooLow"];
            414: components["responses"]["AddressTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeaderTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getContractCreationTx: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A contract. An identifier: prefix, base58 and checksum. One of another kind than expected finds nothing. */
                address: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The transaction that created a contract */
            200: {
                headers: {
                    /** @description Name of this request in the logs; the one of the request if it had one. */
                    "x-request-id"?: string;
                    /** @description Height of the key block that the answer was made from. */
                    "x-chain-height"?: number;
                    /** @description Hash of that key block. */
                    "x-chain-hash"?: string;
                    /** @description Names these bytes: with `If-None-Match` they are sent only if they have changed. */
                    ETag?: string;
                    /** @description How long the answer may be kept. */
                    "Cache-Control"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RawRecord"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["HeadTooLow"];
            414: components["responses"]["AddressTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeaderTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    verifyContract: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VerifyRequest"];
            };
        };
        responses: {
            /** @description Whether a source compiles to the code of a contract */
            200: {
                headers: {
                    /** @description Name of this request in the logs; the one of the request if it had one. */
                    "x-request-id"?: string;
                    /** @description Height of the key block that the answer was made from. */
                    "x-chain-height"?: number;
                    /** @description Hash of that key block. */
                    "x-chain-hash"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        verified: boolean;
                    } | components["schemas"]["CompilerError"];
                };
            };
            400: components["responses"]["BadRequest"];
            412: components["responses"]["HeadTooLow"];
            413: components["responses"]["TooLarge"];
            414: components["responses"]["AddressTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeaderTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getCompilers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Versions of the compiler */
            200: {
                headers: {
                    /** @description Name of this request in the logs; the one of the request if it had one. */
                    "x-request-id"?: string;
                    /** @description Names these bytes: with `If-None-Match` they are sent only if they have changed. */
                    ETag?: string;
                    /** @description How long the answer may be kept. */
                    "Cache-Control"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        compilers: string[];
                    } | components["schemas"]["CompilerError"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            414: components["responses"]["AddressTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeaderTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAllOracles: {
        parameters: {
            query?: {
                limit?: number | string;
                page?: number | string;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Active oracles, latest registrations first */
            200: {
                headers: {
                    /** @description Name of this request in the logs; the one of the request if it had one. */
                    "x-request-id"?: string;
                    /** @description Height of the key block that the answer was made from. */
                    "x-chain-height"?: number;
                    /** @description Hash of that key block. */
                    "x-chain-hash"?: string;
                    /** @description Names these bytes: with `If-None-Match` they are sent only if they have changed. */
                    ETag?: string;
                    /** @description How long the answer may be kept. */
                    "Cache-Control"?: string;
                    /** @description `true` where the answer holds less than was asked for. */
                    "x-limit-capped"?: string;
                    /** @description Of generations, the rule by which the oldest are missing: `generations` (LIMIT_CAP) or `transactions` (20 times as many). */
                    "x-limit-capped-by"?: string;
                    /** @description Length of the whole list, where it is known. */
                    "x-total-count"?: number;
                    /** @description The next page, while there is one: `rel="next"`. */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Oracle"][];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            412: components["responses"]["HeadTooLow"];
            414: components["responses"]["AddressTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeaderTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getOraclesByOlderPath: {
        parameters: {
            query?: {
                limit?: number | string;
                page?: number | string;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The same as `/middleware/oracles/list` */
            200: {
                headers: {
                    /** @description Name of this request in the logs; the one of the request if it had one. */
                    "x-request-id"?: string;
                    /** @description Height of the key block that the answer was made from. */
                    "x-chain-height"?: number;
                    /** @description Hash of that key block. */
                    "x-chain-hash"?: string;
                    /** @description Names these bytes: with `If-None-Match` they are sent only if they have changed. */
                    ETag?: string;
                    /** @description How long the answer may be kept. */
                    "Cache-Control"?: string;
                    /** @description `true` where the answer holds less than was asked for. */
                    "x-limit-capped"?: string;
                    /** @description Of generations, the rule by which the oldest are missing: `generations` (LIMIT_CAP) or `transactions` (20 times as many). */
                    "x-limit-capped-by"?: string;
                    /** @description Length of the whole list, where it is known. */
                    "x-total-count"?: number;
                    /** @description The next page, while there is one: `rel="next"`. */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Oracle"][];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            412: components["responses"]["HeadTooLow"];
            414: components["responses"]["AddressTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeaderTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getOracleData: {
        parameters: {
            query?: {
                limit?: number | string;
                page?: number | string;
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description An oracle. An identifier: prefix, base58 and checksum. One of another kind than expected finds nothing. */
                oracle: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Questions to an oracle with their answers, newest first */
            200: {
                headers: {
                    /** @description Name of this request in the logs; the one of the request if it had one. */
                    "x-request-id"?: string;
                    /** @description Height of the key block that the answer was made from. */
                    "x-chain-height"?: number;
                    /** @description Hash of that key block. */
                    "x-chain-hash"?: string;
                    /** @description Names these bytes: with `If-None-Match` they are sent only if they have changed. */
                    ETag?: string;
                    /** @description How long the answer may be kept. */
                    "Cache-Control"?: string;
                    /** @description `true` where the answer holds less than was asked for. */
                    "x-limit-capped"?: string;
                    /** @description Of generations, the rule by which the oldest are missing: `generations` (LIMIT_CAP) or `transactions` (20 times as many). */
                    "x-limit-capped-by"?: string;
                    /** @description Length of the whole list, where it is known. */
                    "x-total-count"?: number;
                    /** @description The next page, while there is one: `rel="next"`. */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Question"][];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            412: components["responses"]["HeadTooLow"];
            414: components["responses"]["AddressTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeaderTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getActiveChannels: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Channels that are open, oldest first */
            200: {
                headers: {
                    /** @description Name of this request in the logs; the one of the request if it had one. */
                    "x-request-id"?: string;
                    /** @description Height of the key block that the answer was made from. */
                    "x-chain-height"?: number;
                    /** @description Hash of that key block. */
                    "x-chain-hash"?: string;
                    /** @description Names these bytes: with `If-None-Match` they are sent only if they have changed. */
                    ETag?: string;
                    /** @description How long the answer may be kept. */
                    "Cache-Control"?: string;
                    /** @description `true` where the answer holds less than was asked for. */
                    "x-limit-capped"?: string;
                    /** @description Of generations, the rule by which the oldest are missing: `generations` (LIMIT_CAP) or `transactions` (20 times as many). */
                    "x-limit-capped-by"?: string;
                    /** @description Length of the whole list, where it is known. */
                    "x-total-count"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChannelId"][];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            412: components["responses"]["HeadTooLow"];
            414: components["responses"]["AddressTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeaderTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getChannelTx: {
        parameters: {
            query?: {
                limit?: number | string;
                page?: number | string;
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description A state channel. An identifier: prefix, base58 and checksum. One of another kind than expected finds nothing. */
                address: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Transactions of a channel, oldest first */
            200: {
                headers: {
                    /** @description Name of this request in the logs; the one of the request if it had one. */
                    "x-request-id"?: string;
                    /** @description Height of the key block that the answer was made from. */
                    "x-chain-height"?: number;
                    /** @description Hash of that key block. */
                    "x-chain-hash"?: string;
                    /** @description Names these bytes: with `If-None-Match` they are sent only if they have changed. */
                    ETag?: string;
                    /** @description How long the answer may be kept. */
                    "Cache-Control"?: string;
                    /** @description `true` where the answer holds less than was asked for. */
                    "x-limit-capped"?: string;
                    /** @description Of generations, the rule by which the oldest are missing: `generations` (LIMIT_CAP) or `transactions` (20 times as many). */
                    "x-limit-capped-by"?: string;
                    /** @description Length of the whole list, where it is known. */
                    "x-total-count"?: number;
                    /** @description The next page, while there is one: `rel="next"`. */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Transactions"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            412: components["responses"]["HeadTooLow"];
            414: components["responses"]["AddressTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeaderTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getCurrentGeneration: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The generation that is running */
            200: {
                headers: {
                    /** @description Name of this request in the logs; the one of the request if it had one. */
                    "x-request-id"?: string;
                    /** @description Height of the key block that the answer was made from. */
                    "x-chain-height"?: number;
                    /** @description Hash of that key block. */
                    "x-chain-hash"?: string;
                    /** @description Names these bytes: with `If-None-Match` they are sent only if they have changed. */
                    ETag?: string;
                    /** @description How long the answer may be kept. */
                    "Cache-Control"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Generation"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["NodeRefusal400"];
            404: components["responses"]["NodeRefusal404"];
            410: components["responses"]["NodeRefusal410"];
            412: components["responses"]["HeadTooLow"];
            414: components["responses"]["AddressTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeaderTooLarge"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["BadGateway"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    getGenerationByHeight: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A height. */
                height: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The generation of a height */
            200: {
                headers: {
                    /** @description Name of this request in the logs; the one of the request if it had one. */
                    "x-request-id"?: string;
                    /** @description Height of the key block that the answer was made from. */
                    "x-chain-height"?: number;
                    /** @description Hash of that key block. */
                    "x-chain-hash"?: string;
                    /** @description Names these bytes: with `If-None-Match` they are sent only if they have changed. */
                    ETag?: string;
                    /** @description How long the answer may be kept. */
                    "Cache-Control"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Generation"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["NodeRefusal400"];
            404: components["responses"]["NodeRefusal404"];
            410: components["responses"]["NodeRefusal410"];
            412: components["responses"]["HeadTooLow"];
            414: components["responses"]["AddressTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeaderTooLarge"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["BadGateway"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    getCurrentKeyBlockHeight: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Height of the newest key block */
            200: {
                headers: {
                    /** @description Name of this request in the logs; the one of the request if it had one. */
                    "x-request-id"?: string;
                    /** @description Height of the key block that the answer was made from. */
                    "x-chain-height"?: number;
                    /** @description Hash of that key block. */
                    "x-chain-hash"?: string;
                    /** @description Names these bytes: with `If-None-Match` they are sent only if they have changed. */
                    ETag?: string;
                    /** @description How long the answer may be kept. */
                    "Cache-Control"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Height"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["NodeRefusal400"];
            404: components["responses"]["NodeRefusal404"];
            410: components["responses"]["NodeRefusal410"];
            412: components["responses"]["HeadTooLow"];
            414: components["responses"]["AddressTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeaderTooLarge"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["BadGateway"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    getKeyBlockByHash: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The hash of a key block. */
                hash: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A key block by its hash */
            200: {
                headers: {
                    /** @description Name of this request in the logs; the one of the request if it had one. */
                    "x-request-id"?: string;
                    /** @description Height of the key block that the answer was made from. */
                    "x-chain-height"?: number;
                    /** @description Hash of that key block. */
                    "x-chain-hash"?: string;
                    /** @description Names these bytes: with `If-None-Match` they are sent only if they have changed. */
                    ETag?: string;
                    /** @description How long the answer may be kept. */
                    "Cache-Control"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeyBlock"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["NodeRefusal400"];
            404: components["responses"]["NodeRefusal404"];
            410: components["responses"]["NodeRefusal410"];
            412: components["responses"]["HeadTooLow"];
            414: components["responses"]["AddressTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeaderTooLarge"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["BadGateway"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    getKeyBlockByHeight: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A height. */
                height: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key block of a height */
            200: {
                headers: {
                    /** @description Name of this request in the logs; the one of the request if it had one. */
                    "x-request-id"?: string;
                    /** @description Height of the key block that the answer was made from. */
                    "x-chain-height"?: number;
                    /** @description Hash of that key block. */
                    "x-chain-hash"?: string;
                    /** @description Names these bytes: with `If-None-Match` they are sent only if they have changed. */
                    ETag?: string;
                    /** @description How long the answer may be kept. */
                    "Cache-Control"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeyBlock"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["NodeRefusal400"];
            404: components["responses"]["NodeRefusal404"];
            410: components["responses"]["NodeRefusal410"];
            412: components["responses"]["HeadTooLow"];
            414: components["responses"]["AddressTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeaderTooLarge"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["BadGateway"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    getMicroBlockHeaderByHash: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The hash of a micro block. */
                hash: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A micro block by its hash */
            200: {
                headers: {
                    /** @description Name of this request in the logs; the one of the request if it had one. */
                    "x-request-id"?: string;
                    /** @description Height of the key block that the answer was made from. */
                    "x-chain-height"?: number;
                    /** @description Hash of that key block. */
                    "x-chain-hash"?: string;
                    /** @description Names these bytes: with `If-None-Match` they are sent only if they have changed. */
                    ETag?: string;
                    /** @description How long the answer may be kept. */
                    "Cache-Control"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MicroBlockHeader"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["NodeRefusal400"];
            404: components["responses"]["NodeRefusal404"];
            410: components["responses"]["NodeRefusal410"];
            412: components["responses"]["HeadTooLow"];
            414: components["responses"]["AddressTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeaderTooLarge"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["BadGateway"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    getMicroBlockTransactionsByHash: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The hash of a micro block. */
                hash: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The transactions of a micro block, in its order */
            200: {
                headers: {
                    /** @description Name of this request in the logs; the one of the request if it had one. */
                    "x-request-id"?: string;
                    /** @description Height of the key block that the answer was made from. */
                    "x-chain-height"?: number;
                    /** @description Hash of that key block. */
                    "x-chain-hash"?: string;
                    /** @description Names these bytes: with `If-None-Match` they are sent only if they have changed. */
                    ETag?: string;
                    /** @description How long the answer may be kept. */
                    "Cache-Control"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Transactions"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["NodeRefusal400"];
            404: components["responses"]["NodeRefusal404"];
            410: components["responses"]["NodeRefusal410"];
            412: components["responses"]["HeadTooLow"];
            414: components["responses"]["AddressTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeaderTooLarge"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["BadGateway"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    getMicroBlockTransactionsCountByHash: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The hash of a micro block. */
                hash: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Number of the transactions of a micro block */
            200: {
                headers: {
                    /** @description Name of this request in the logs; the one of the request if it had one. */
                    "x-request-id"?: string;
                    /** @description Height of the key block that the answer was made from. */
                    "x-chain-height"?: number;
                    /** @description Hash of that key block. */
                    "x-chain-hash"?: string;
                    /** @description Names these bytes: with `If-None-Match` they are sent only if they have changed. */
                    ETag?: string;
                    /** @description How long the answer may be kept. */
                    "Cache-Control"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Count"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["NodeRefusal400"];
            404: components["responses"]["NodeRefusal404"];
            410: components["responses"]["NodeRefusal410"];
            412: components["responses"]["HeadTooLow"];
            414: components["responses"]["AddressTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeaderTooLarge"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["BadGateway"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    getTransactionByHash: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The hash of a transaction. */
                hash: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A transaction by its hash */
            200: {
                headers: {
                    /** @description Name of this request in the logs; the one of the request if it had one. */
                    "x-request-id"?: string;
                    /** @description Height of the key block that the answer was made from. */
                    "x-chain-height"?: number;
                    /** @description Hash of that key block. */
                    "x-chain-hash"?: string;
                    /** @description Names these bytes: with `If-None-Match` they are sent only if they have changed. */
                    ETag?: string;
                    /** @description How long the answer may be kept. */
                    "Cache-Control"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Transaction"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["NodeRefusal400"];
            404: components["responses"]["NodeRefusal404"];
            410: components["responses"]["NodeRefusal410"];
            412: components["responses"]["HeadTooLow"];
            414: components["responses"]["AddressTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeaderTooLarge"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["BadGateway"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    getMdwStatus: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Whether the database keeps up with the chain */
            200: {
                headers: {
                    /** @description Name of this request in the logs; the one of the request if it had one. */
                    "x-request-id"?: string;
                    /** @description Height of the key block that the answer was made from. */
                    "x-chain-height"?: number;
                    /** @description Hash of that key block. */
                    "x-chain-hash"?: string;
                    /** @description Names these bytes: with `If-None-Match` they are sent only if they have changed. */
                    ETag?: string;
                    /** @description How long the answer may be kept. */
                    "Cache-Control"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Status"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            412: components["responses"]["HeadTooLow"];
            414: components["responses"]["AddressTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeaderTooLarge"];
            500: components["responses"]["InternalError"];
            /** @description Not well, or the database cannot answer just now. */
            503: {
                headers: {
                    /** @description Name of this request in the logs; the one of the request if it had one. */
                    "x-request-id"?: string;
                    /** @description Seconds after which to try again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Status"] | components["schemas"]["Error"];
                };
            };
        };
    };
    getLiveness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Whether the process lives */
            200: {
                headers: {
                    /** @description Name of this request in the logs; the one of the request if it had one. */
                    "x-request-id"?: string;
                    /** @description Names these bytes: with `If-None-Match` they are sent only if they have changed. */
                    ETag?: string;
                    /** @description How long the answer may be kept. */
                    "Cache-Control"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Liveness"];
                };
            };
            304: components["responses"]["NotModified"];
            414: components["responses"]["AddressTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeaderTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getReadiness: {
        parameters: {
            query?: {
                "max-lag"?: number;
                loaded?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Whether the service can answer */
            200: {
                headers: {
                    /** @description Name of this request in the logs; the one of the request if it had one. */
                    "x-request-id"?: string;
                    /** @description Names these bytes: with `If-None-Match` they are sent only if they have changed. */
                    ETag?: string;
                    /** @description How long the answer may be kept. */
                    "Cache-Control"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Readiness"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            414: components["responses"]["AddressTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeaderTooLarge"];
            500: components["responses"]["InternalError"];
            /** @description Not well, or the database cannot answer just now. */
            503: {
                headers: {
                    /** @description Name of this request in the logs; the one of the request if it had one. */
                    "x-request-id"?: string;
                    /** @description Seconds after which to try again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Readiness"];
                };
            };
        };
    };
    streamEvents: {
        parameters: {
            query?: {
                kinds?: string;
                object?: string;
                since?: string;
                from?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Server-sent events of the chain */
            200: {
                headers: {
                    /** @description Name of this request in the logs; the one of the request if it had one. */
                    "x-request-id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            410: components["responses"]["Gone"];
            414: components["responses"]["AddressTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeaderTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getSwagger: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The older description of the API (Swagger 2.0) */
            200: {
                headers: {
                    /** @description Name of this request in the logs; the one of the request if it had one. */
                    "x-request-id"?: string;
                    /** @description Names these bytes: with `If-None-Match` they are sent only if they have changed. */
                    ETag?: string;
                    /** @description How long the answer may be kept. */
                    "Cache-Control"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        swagger: "2.0";
                        /** @constant */
                        basePath: "/middleware";
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            414: components["responses"]["AddressTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeaderTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getOpenApi: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description This description of the API */
            200: {
                headers: {
                    /** @description Name of this request in the logs; the one of the request if it had one. */
                    "x-request-id"?: string;
                    /** @description Names these bytes: with `If-None-Match` they are sent only if they have changed. */
                    ETag?: string;
                    /** @description How long the answer may be kept. */
                    "Cache-Control"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        openapi: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            304: components["responses"]["NotModified"];
            414: components["responses"]["AddressTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeaderTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getDocumentation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description This description as a page */
            200: {
                headers: {
                    /** @description Name of this request in the logs; the one of the request if it had one. */
                    "x-request-id"?: string;
                    /** @description The page loads nothing from anywhere else. */
                    "Content-Security-Policy"?: string;
                    /** @description `nosniff` */
                    "X-Content-Type-Options"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            304: components["responses"]["NotModified"];
            414: components["responses"]["AddressTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeaderTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
}
