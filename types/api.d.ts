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
         * @description Those that name the account as sender, recipient, owner, caller or another party, also by a name of its. With `Accept: text/csv` or `application/x-ndjson` the list is sent as a table.
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
        /**
         * Number of transactions of an account
         * @description The length of the list that `getTxByAccount` gives in parts; with `txtype` of that type alone.
         */
        get: operations["getTxCountByAddress"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/middleware/accounts/{account}/ledger": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What changed the balance of an account, newest first
         * @description Each change with the balance after it. They follow from transactions and key blocks, and are written a moment after them. Not in them are payments inside contract calls and what follows from those, unless a node tells them; on a hyperchain, and on networks that are not built in, rewards and the coins of the genesis block neither. `complete` is false from the first height on at which changes of any account may be missing, and `incomplete_since` is that height. With `kind` a page may have fewer rows than `limit`, even none, and yet a link to the next page. An account without changes has an empty list. With `Accept: text/csv` or `application/x-ndjson` the list is sent as a table.
         */
        get: operations["getAccountLedger"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/middleware/accounts/{account}/balance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The balance of an account at a height, a time or a block, or at the head
         * @description The sum of the changes in its ledger. At a height it is that after the key block of the height, as for the node; at a time, that after the last block up to it; at a block, that after it; without any of them, that after the newest block. They follow from transactions and key blocks, and are written a moment after them. Not in them are payments inside contract calls and what follows from those, unless a node tells them; on a hyperchain, and on networks that are not built in, rewards and the coins of the genesis block neither. `complete` is false from the first height on at which changes of any account may be missing, and `incomplete_since` is that height. An account without changes has 0. 404 for a height above the head and a block that is not on the chain.
         */
        get: operations["getAccountBalance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/middleware/accounts/{account}/statement": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What changed the balance of an account in a period, by kind
         * @description The balance before the period and after it, and between them the sums of each kind: opening + in + out = closing. The rows are those of the ledger for the same period. They follow from transactions and key blocks, and are written a moment after them. Not in them are payments inside contract calls and what follows from those, unless a node tells them; on a hyperchain, and on networks that are not built in, rewards and the coins of the genesis block neither. `complete` is false from the first height on at which changes of any account may be missing, and `incomplete_since` is that height.
         */
        get: operations["getAccountStatement"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/middleware/holders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * All accounts that have coins, the richest first
         * @description By what changed their balances, which is written a moment after the chain. Balances change with each block: to read each account once, over several pages, use `by=account`, the order in which they were seen first in this copy. 503 while a copy of an earlier version is being completed.
         */
        get: operations["getHolders"];
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
        /**
         * Spends from one account to another, newest first
         * @description Not those in the other direction.
         */
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
         * @description Without `limit` a range of more than 1000 heights is refused when it holds more than the cap. With `Accept: text/csv` or `application/x-ndjson` the list is sent as a table.
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
        /**
         * Number of all transactions
         * @description Of the whole chain as far as it is loaded.
         */
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
        /**
         * Number of the transactions up to a height
         * @description From the first generation to the one of that height, itself included.
         */
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
        /**
         * The lowest height whose key block is not older than a moment
         * @description 404 for a moment after the newest key block.
         */
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
        /**
         * What the key block of a height earns
         * @description The coinbase, and the part of the fees that goes to the beneficiary. 404 on a hyperchain: its contracts pay the leaders, and no table says what.
         */
        get: operations["getRewardAtHeight"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/middleware/figures/{from}/{to}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What the chain did, in steps of time
         * @description All steps that have a day between the two, oldest first. A generation belongs to the step in which its key block was made. Steps without a key block are left out. At most 800 steps.
         */
        get: operations["getFiguresByTime"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/middleware/figures/generations/{from}/{to}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What the generations between two heights contain, in numbers
         * @description Newest first, their micro blocks in the order of the chain. At most 20 generations.
         */
        get: operations["getFiguresOfGenerations"];
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
        /**
         * Size of all transactions in bytes
         * @description Added up over all transactions that are stored.
         */
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
        /**
         * Size of the transactions up to a height in bytes
         * @description From the first generation to the one of that height, itself included.
         */
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
        /**
         * All names, also those that have expired, latest claims first
         * @description One record for each time that a name was claimed. Names that were only claimed inside contract calls are not in the list; `source` marks records that calls changed. With `Accept: text/csv` or `application/x-ndjson` the list is sent as a table.
         */
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
        /**
         * Names that are claimed and have not expired, latest claims first
         * @description One record for each name, that of its latest claim. A name whose auction is running is not active. The list and its order follow from transactions, also where `source` is `node`. With `Accept: text/csv` or `application/x-ndjson` the list is sent as a table.
         */
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
        /**
         * Names that contain a text, also those that have expired
         * @description A whole name is found in any spelling: small or large letters, any Unicode normal form, punycode, with or without `.chain`. One record for each time that a name was claimed.
         */
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
        /**
         * Active names that point to an object, by name
         * @description By the pointers of their latest updates.
         */
        get: operations["getNameByAddress"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/middleware/names/of/{accounts}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One name for each of many accounts
         * @description The first active name, by name, that points to the account and that it owns itself; without one the first that points to it. Of many names only the first 20 are looked at. Accounts without a name are left out.
         */
        get: operations["getNamesOfAccounts"];
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
        /**
         * The name of a hash, its latest record
         * @description 404 if no transaction ever claimed a name with that hash: contract calls may have claimed it.
         */
        get: operations["getNameForHash"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/middleware/names/transactions/{hash}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Claims, bids, updates, transfers and the revocation of a name, newest first
         * @description Of all times that it was claimed. Empty for a name that nobody claimed.
         */
        get: operations["getTxByName"];
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
        /**
         * Auctions that are running
         * @description An auction runs up to and including its last height. Those that end soonest come first, unless `sort` says otherwise. A bid inside a contract call is in `source: node`; an auction that only such calls started is not in the list.
         */
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
        /**
         * Number of the auctions that are running
         * @description With `length` only of names of that length.
         */
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
        /**
         * The latest auction of a name with its bids
         * @description Also when it has ended. 404 if there was no auction of the name.
         */
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
        /**
         * Bids of the latest auction of a name, newest first
         * @description Empty if there was no auction of the name.
         */
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
        /**
         * Claims and bids of an account with the auctions they are of, newest first
         * @description Each with the latest auction of its name, which somebody else may have won.
         */
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
        /**
         * All contracts, newest first
         * @description Contracts of generalized accounts are among them; those whose creation failed are not, nor those that contracts created inside calls.
         */
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
        /**
         * Decoded calls of a contract, oldest first
         * @description A call is in the list once it is decoded, a moment after its transaction. If a GAMetaTx or PayingForTx wraps the call, `transaction_id` is the hash of that transaction. With `Accept: text/csv` or `application/x-ndjson` the list is sent as a table.
         */
        get: operations["getContractAddressCalls"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/middleware/contracts/calls/transaction/{hash}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The decoded call of a transaction
         * @description 404 if the transaction calls no contract, or is not decoded yet.
         */
        get: operations["getContractCallOfTx"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/middleware/contracts/logs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Logs of contracts, newest first
         * @description Each event that a contract emitted in a call or at its creation, also in calls by other contracts, in the order in which they were emitted. `complete` is false while call information of these heights is not read yet, or no node has it: an archive node has all. With `Accept: text/csv` or `application/x-ndjson` the list is sent as a table.
         */
        get: operations["getContractLogs"];
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
        /**
         * Creation and calls of a contract, oldest first
         * @description The first is the one that created it.
         */
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
        /**
         * The transaction that created a contract
         * @description 404 if there is no such contract, or if a contract created it inside a call.
         */
        get: operations["getContractCreationTx"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/middleware/tokens/aex9": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Tokens by name, symbol or creation
         * @description Contracts that have all functions of the standard, by their code. By name and symbol the order is ascending, by creation the newest are first. Names and symbols are compared without regard to capitals, by their first 100 characters; those that are not known are empty. With `Accept: text/csv` or `application/x-ndjson` the list is sent as a table.
         */
        get: operations["getTokens"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/middleware/tokens/aex141": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Collections by name, symbol or creation
         * @description Contracts that have all functions of the standard, by their code. By name and symbol the order is ascending, by creation the newest are first. Names and symbols are compared without regard to capitals, by their first 100 characters; those that are not known are empty. With `Accept: text/csv` or `application/x-ndjson` the list is sent as a table.
         */
        get: operations["getCollections"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/middleware/tokens/refused": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Contracts that look like tokens and are none, by their ids
         * @description They emitted a Transfer, Mint or Burn as tokens do, but by their code they do not have all functions of a standard with its types. A page has up to 100 of them.
         */
        get: operations["getRefusedTokens"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/middleware/tokens/swaps": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Swaps of exchanges, newest first
         * @description The events `SwapTokens` of pairs: contracts that an event `PairCreated` names, of any factory, and whose shares are a token of AEX-9. The amounts say which token was given. Where a pair got or gave some of both tokens at once, its log has the other two amounts. With `Accept: text/csv` or `application/x-ndjson` the list is sent as a table.
         */
        get: operations["getSwaps"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/middleware/tokens/{contract}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A token or a collection
         * @description 404 if the contract is none by its code.
         */
        get: operations["getToken"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/middleware/tokens/{contract}/supply": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The newest changes of the supply of a token, newest first
         * @description What was minted and burnt, and of wrapped coins deposited and withdrawn, with the supply after it: the course of the supply back from now. Of a token whose balances do not follow from its events there are no rows, and it is not complete. 404 if the contract is no token of AEX-9.
         */
        get: operations["getTokenSupply"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/middleware/tokens/{contract}/holders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Accounts that hold a token, by amount or by their keys
         * @description Of a collection the amount is the number of its tokens. The highest amounts are first; by account the order is that of the bytes of the keys. Amounts change with each block: to read each holder once, over several pages or as a table, use `by=account`. With `Accept: text/csv` or `application/x-ndjson` the list is sent as a table.
         */
        get: operations["getTokenHolders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/middleware/tokens/{contract}/transfers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Transfers of a token, or of the tokens of a collection, newest first
         * @description By its events. What is minted and burnt is not among them. With `Accept: text/csv` or `application/x-ndjson` the list is sent as a table.
         */
        get: operations["getTokenTransfers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/middleware/tokens/{contract}/owners": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The single tokens of a collection and their owners, by number
         * @description Not those that are burnt. 404 if the contract is no collection. With `Accept: text/csv` or `application/x-ndjson` the list is sent as a table.
         */
        get: operations["getTokenOwners"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/middleware/tokens/{contract}/allowances": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What accounts allow others to spend of a token, by the keys of both
         * @description A row for each pair of accounts about which an event `Allowance` says something, also where nothing is left. The amount is what the token told, asked after the last event; null before it has told (`due`), and where it cannot (`failed`, `malformed`). What the event says is `event_amount`. 404 if the contract is no token of AEX-9. With `Accept: text/csv` or `application/x-ndjson` the list is sent as a table.
         */
        get: operations["getTokenAllowances"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/middleware/tokens/{contract}/swaps": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Swaps of a pair, or of all pairs of a token, newest first
         * @description The events `SwapTokens` of pairs: contracts that an event `PairCreated` names, of any factory, and whose shares are a token of AEX-9. The amounts say which token was given. Where a pair got or gave some of both tokens at once, its log has the other two amounts. Of a token those of the 200 pairs that were made first. 404 if the contract is no token of AEX-9. With `Accept: text/csv` or `application/x-ndjson` the list is sent as a table.
         */
        get: operations["getTokenSwaps"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/middleware/accounts/{account}/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What an account holds of tokens, by the ids of the tokens
         * @description Not tokens of which it holds nothing, nor single tokens of collections. With `Accept: text/csv` or `application/x-ndjson` the list is sent as a table.
         */
        get: operations["getAccountTokens"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/middleware/accounts/{account}/owned-tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The single tokens of collections that an account owns, by collection and number
         * @description By the last event of each. With `Accept: text/csv` or `application/x-ndjson` the list is sent as a table.
         */
        get: operations["getOwnedTokens"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/middleware/accounts/{account}/allowances": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What an account allows others to spend of tokens, or what others allow it, by token
         * @description A row for each pair of accounts about which an event `Allowance` says something, also where nothing is left. The amount is what the token told, asked after the last event; null before it has told (`due`), and where it cannot (`failed`, `malformed`). What the event says is `event_amount`. With `Accept: text/csv` or `application/x-ndjson` the list is sent as a table.
         */
        get: operations["getAccountAllowances"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/middleware/accounts/{account}/swaps": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Swaps that an account made, newest first
         * @description The events `SwapTokens` of pairs: contracts that an event `PairCreated` names, of any factory, and whose shares are a token of AEX-9. The amounts say which token was given. Where a pair got or gave some of both tokens at once, its log has the other two amounts. With `Accept: text/csv` or `application/x-ndjson` the list is sent as a table.
         */
        get: operations["getAccountSwaps"];
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
        /**
         * Versions of the compiler
         * @description Those that can be given to `verifyContract`; `error` while no compiler answers.
         */
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
        /**
         * Active oracles, latest registrations first
         * @description An oracle is active until the height `expires_at`. Oracles that were only registered inside contract calls are not in the list; `source` marks those that calls changed.
         */
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
        /**
         * The same as `/middleware/oracles/list`
         * @description Older clients ask by this path.
         */
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
        /**
         * Questions to an oracle with their answers, newest first
         * @description `response` is null while there is no answer.
         */
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
        /**
         * Channels that are open, oldest first
         * @description A channel is open from its creation to the first transaction that closes it.
         */
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
        /**
         * Transactions of a channel, oldest first
         * @description The first is the one that created it. Empty for a channel that nobody created.
         */
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
        /**
         * The generation that is running
         * @description From the database, in the form in which the node answers it; the node is asked for what is not stored.
         */
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
        /**
         * The generation of a height
         * @description From the database, in the form in which the node answers it; the node is asked for what is not stored.
         */
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
        /**
         * Height of the newest key block
         * @description From the database, in the form in which the node answers it; the node is asked for what is not stored.
         */
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
        /**
         * A key block by its hash
         * @description From the database, in the form in which the node answers it; the node is asked for what is not stored.
         */
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
        /**
         * The key block of a height
         * @description From the database, in the form in which the node answers it; the node is asked for what is not stored.
         */
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
        /**
         * A micro block by its hash
         * @description From the database, in the form in which the node answers it; the node is asked for what is not stored.
         */
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
        /**
         * The transactions of a micro block, in its order
         * @description From the database, in the form in which the node answers it; the node is asked for what is not stored.
         */
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
        /**
         * Number of the transactions of a micro block
         * @description From the database, in the form in which the node answers it; the node is asked for what is not stored.
         */
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
        /**
         * A transaction by its hash
         * @description From the database, in the form in which the node answers it; the node is asked for what is not stored.
         */
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
    "/middleware/network": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The network of the chain: its form, its time between key blocks, its coin
         * @description 404 before anything is stored. The time between key blocks is the intended one of the main network and the test network, and of others the mean of the last 100. `rewards` is `unknown` where no table says what key blocks issue: there `/middleware/reward` is 404 and `coinbase` is null.
         */
        get: operations["getNetwork"];
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
        /**
         * Whether the process lives
         * @description It asks nothing of the database.
         */
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
        /**
         * Whether the service can answer
         * @description Status 503 with the same body when it cannot. A server that has read its database stays ready while the database cannot be read, with `without_database`.
         */
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
        /**
         * This description as a page
         * @description It loads nothing from other hosts.
         */
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
         * @description A transaction with its time, and how it ended.
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
         *       "time": 1546717623000,
         *       "outcome": "ok"
         *     }
         */
        TimedTransaction: {
            /**
             * Format: int64
             * @description Height of its micro block: that of its generation, on a hyperchain one more; -1 while it waits in the pool.
             */
            block_height: number;
            /** @description The hash of its micro block; `none` while it waits in the pool. */
            block_hash: string;
            hash: components["schemas"]["TransactionHash"];
            /** @description Absent where the node gives none. */
            signatures?: components["schemas"]["Signature"][];
            tx: components["schemas"]["Tx"];
            /**
             * @description How the transaction ended; of nested transactions, whether all ended with `ok`. `unknown`: it runs code, and its call information is not stored.
             * @enum {string}
             */
            outcome: "ok" | "revert" | "error" | "unknown";
            /**
             * Format: int64
             * @description Time of its micro block, ms since 1970.
             */
            time: number;
        } & {
            [key: string]: unknown;
        };
        /** @description The hash of a transaction. */
        TransactionHash: string;
        /** @description A signature. */
        Signature: string;
        /**
         * @description The node's object, with all its members and digits. Its `type` tells which members there are; types of protocols that are newer than this description are given as the node has them.
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
        Tx: components["schemas"]["SpendTx"] | components["schemas"]["OracleRegisterTx"] | components["schemas"]["OracleExtendTx"] | components["schemas"]["OracleQueryTx"] | components["schemas"]["OracleRespondTx"] | components["schemas"]["NamePreclaimTx"] | components["schemas"]["NameClaimTx"] | components["schemas"]["NameUpdateTx"] | components["schemas"]["NameTransferTx"] | components["schemas"]["NameRevokeTx"] | components["schemas"]["ContractCreateTx"] | components["schemas"]["ContractCallTx"] | components["schemas"]["GAAttachTx"] | components["schemas"]["GAMetaTx"] | components["schemas"]["PayingForTx"] | components["schemas"]["ChannelCreateTx"] | components["schemas"]["ChannelSetDelegatesTx"] | components["schemas"]["ChannelDepositTx"] | components["schemas"]["ChannelWithdrawTx"] | components["schemas"]["ChannelForceProgressTx"] | components["schemas"]["ChannelCloseMutualTx"] | components["schemas"]["ChannelCloseSoloTx"] | components["schemas"]["ChannelSlashTx"] | components["schemas"]["ChannelSettleTx"] | components["schemas"]["ChannelSnapshotSoloTx"];
        SpendTx: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "SpendTx";
            /** Format: int64 */
            version: number;
            /** @description An identifier. */
            sender_id: string;
            /** @description An identifier. */
            recipient_id: string;
            amount: components["schemas"]["BigNumber"];
            fee: components["schemas"]["BigNumber"];
            ttl?: components["schemas"]["BigNumber"];
            nonce: components["schemas"]["BigNumber"];
            /** @description Bytes, encoded; plain text in the oldest releases of the node. */
            payload: string;
        } & {
            [key: string]: unknown;
        };
        /** @description A whole number with all its digits, also beyond 2^53: read it with a parser for big numbers. */
        BigNumber: number;
        OracleRegisterTx: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "OracleRegisterTx";
            /** Format: int64 */
            version: number;
            /** @description An identifier. */
            account_id: string;
            nonce: components["schemas"]["BigNumber"];
            query_format: string;
            response_format: string;
            query_fee: components["schemas"]["BigNumber"];
            oracle_ttl: components["schemas"]["RelativeTtl"];
            fee: components["schemas"]["BigNumber"];
            ttl?: components["schemas"]["BigNumber"];
            /** Format: int64 */
            abi_version?: number;
        } & {
            [key: string]: unknown;
        };
        /** @description A number of generations, or a height. */
        RelativeTtl: {
            /** @enum {string} */
            type: "delta" | "block";
            value: components["schemas"]["BigNumber"];
        } & {
            [key: string]: unknown;
        };
        OracleExtendTx: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "OracleExtendTx";
            /** Format: int64 */
            version: number;
            /** @description An identifier. */
            oracle_id: string;
            nonce: components["schemas"]["BigNumber"];
            oracle_ttl: components["schemas"]["RelativeTtl"];
            fee: components["schemas"]["BigNumber"];
            ttl?: components["schemas"]["BigNumber"];
        } & {
            [key: string]: unknown;
        };
        OracleQueryTx: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "OracleQueryTx";
            /** Format: int64 */
            version: number;
            /** @description An identifier. */
            sender_id: string;
            nonce: components["schemas"]["BigNumber"];
            /** @description An identifier. */
            oracle_id: string;
            query: string;
            query_fee: components["schemas"]["BigNumber"];
            query_ttl: components["schemas"]["RelativeTtl"];
            response_ttl: components["schemas"]["RelativeTtl"];
            fee: components["schemas"]["BigNumber"];
            ttl?: components["schemas"]["BigNumber"];
        } & {
            [key: string]: unknown;
        };
        OracleRespondTx: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "OracleRespondTx" | "OracleResponseTx";
            /** Format: int64 */
            version: number;
            /** @description An identifier. */
            oracle_id: string;
            nonce: components["schemas"]["BigNumber"];
            /** @description Bytes, encoded. */
            query_id: string;
            response: string;
            response_ttl: components["schemas"]["RelativeTtl"];
            fee: components["schemas"]["BigNumber"];
            ttl?: components["schemas"]["BigNumber"];
        } & {
            [key: string]: unknown;
        };
        NamePreclaimTx: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "NamePreclaimTx";
            /** Format: int64 */
            version: number;
            /** @description An identifier. */
            account_id: string;
            nonce: components["schemas"]["BigNumber"];
            /** @description An identifier. */
            commitment_id: string;
            fee: components["schemas"]["BigNumber"];
            ttl?: components["schemas"]["BigNumber"];
        } & {
            [key: string]: unknown;
        };
        NameClaimTx: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "NameClaimTx";
            /** Format: int64 */
            version: number;
            /** @description An identifier. */
            account_id: string;
            nonce: components["schemas"]["BigNumber"];
            name: string;
            name_salt: components["schemas"]["BigNumber"];
            name_fee?: components["schemas"]["BigNumber"];
            fee: components["schemas"]["BigNumber"];
            ttl?: components["schemas"]["BigNumber"];
        } & {
            [key: string]: unknown;
        };
        NameUpdateTx: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "NameUpdateTx";
            /** Format: int64 */
            version: number;
            /** @description An identifier. */
            account_id: string;
            nonce: components["schemas"]["BigNumber"];
            /** @description An identifier. */
            name_id: string;
            name_ttl: components["schemas"]["BigNumber"];
            pointers: components["schemas"]["Pointer"][];
            client_ttl: components["schemas"]["BigNumber"];
            fee: components["schemas"]["BigNumber"];
            ttl?: components["schemas"]["BigNumber"];
        } & {
            [key: string]: unknown;
        };
        Pointer: {
            key: string;
            id: string;
        } & {
            [key: string]: unknown;
        };
        NameTransferTx: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "NameTransferTx";
            /** Format: int64 */
            version: number;
            /** @description An identifier. */
            account_id: string;
            nonce: components["schemas"]["BigNumber"];
            /** @description An identifier. */
            name_id: string;
            /** @description An identifier. */
            recipient_id: string;
            fee: components["schemas"]["BigNumber"];
            ttl?: components["schemas"]["BigNumber"];
        } & {
            [key: string]: unknown;
        };
        NameRevokeTx: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "NameRevokeTx";
            /** Format: int64 */
            version: number;
            /** @description An identifier. */
            account_id: string;
            nonce: components["schemas"]["BigNumber"];
            /** @description An identifier. */
            name_id: string;
            fee: components["schemas"]["BigNumber"];
            ttl?: components["schemas"]["BigNumber"];
        } & {
            [key: string]: unknown;
        };
        ContractCreateTx: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "ContractCreateTx";
            /** Format: int64 */
            version: number;
            /** @description An identifier. */
            owner_id: string;
            nonce: components["schemas"]["BigNumber"];
            /** @description Bytes, encoded. */
            code: string;
            /** Format: int64 */
            vm_version: number;
            /** Format: int64 */
            abi_version?: number;
            fee: components["schemas"]["BigNumber"];
            ttl?: components["schemas"]["BigNumber"];
            deposit: components["schemas"]["BigNumber"];
            amount: components["schemas"]["BigNumber"];
            gas: components["schemas"]["BigNumber"];
            gas_price: components["schemas"]["BigNumber"];
            /** @description Bytes, encoded. */
            call_data: string;
        } & {
            [key: string]: unknown;
        };
        ContractCallTx: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "ContractCallTx";
            /** Format: int64 */
            version: number;
            /** @description An identifier. */
            caller_id: string;
            nonce: components["schemas"]["BigNumber"];
            /** @description An identifier. */
            contract_id: string;
            /** Format: int64 */
            abi_version?: number;
            fee: components["schemas"]["BigNumber"];
            ttl?: components["schemas"]["BigNumber"];
            amount: components["schemas"]["BigNumber"];
            gas: components["schemas"]["BigNumber"];
            gas_price: components["schemas"]["BigNumber"];
            /** @description Bytes, encoded. */
            call_data: string;
        } & {
            [key: string]: unknown;
        };
        GAAttachTx: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "GAAttachTx";
            /** Format: int64 */
            version: number;
            /** @description An identifier. */
            owner_id: string;
            nonce: components["schemas"]["BigNumber"];
            /** @description Bytes, encoded. */
            code: string;
            /** @description 0x and hexadecimal digits. */
            auth_fun: string;
            /** Format: int64 */
            vm_version: number;
            /** Format: int64 */
            abi_version?: number;
            fee: components["schemas"]["BigNumber"];
            ttl?: components["schemas"]["BigNumber"];
            gas: components["schemas"]["BigNumber"];
            gas_price: components["schemas"]["BigNumber"];
            /** @description Bytes, encoded. */
            call_data: string;
        } & {
            [key: string]: unknown;
        };
        GAMetaTx: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "GAMetaTx";
            /** Format: int64 */
            version: number;
            /** @description An identifier. */
            ga_id: string;
            /** @description Bytes, encoded. */
            auth_data: string;
            abi_version: components["schemas"]["BigNumber"];
            fee: components["schemas"]["BigNumber"];
            gas: components["schemas"]["BigNumber"];
            gas_price: components["schemas"]["BigNumber"];
            ttl?: components["schemas"]["BigNumber"];
            tx: components["schemas"]["SignedTx"];
        } & {
            [key: string]: unknown;
        };
        /** @description A transaction within another one. */
        SignedTx: {
            signatures: components["schemas"]["Signature"][];
            tx: components["schemas"]["Tx"];
        } & {
            [key: string]: unknown;
        };
        PayingForTx: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "PayingForTx";
            /** Format: int64 */
            version: number;
            /** @description An identifier. */
            payer_id: string;
            nonce: components["schemas"]["BigNumber"];
            fee: components["schemas"]["BigNumber"];
            tx: components["schemas"]["SignedTx"];
        } & {
            [key: string]: unknown;
        };
        ChannelCreateTx: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "ChannelCreateTx";
            /** Format: int64 */
            version: number;
            /** @description An identifier. */
            initiator_id: string;
            initiator_amount: components["schemas"]["BigNumber"];
            /** @description An identifier. */
            responder_id: string;
            responder_amount: components["schemas"]["BigNumber"];
            channel_reserve: components["schemas"]["BigNumber"];
            lock_period: components["schemas"]["BigNumber"];
            ttl?: components["schemas"]["BigNumber"];
            fee: components["schemas"]["BigNumber"];
            /** @description One list of identifiers, or an object with one for each party. */
            delegate_ids: unknown;
            /** @description Bytes, encoded. */
            state_hash: string;
            nonce: components["schemas"]["BigNumber"];
        } & {
            [key: string]: unknown;
        };
        ChannelSetDelegatesTx: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "ChannelSetDelegatesTx";
            /** Format: int64 */
            version: number;
            /** @description An identifier. */
            channel_id: string;
            /** @description An identifier. */
            from_id: string;
            initiator_delegate_ids: string[];
            responder_delegate_ids: string[];
            /** @description Bytes, encoded. */
            payload: string;
            /** @description Bytes, encoded. */
            state_hash: string;
            round: components["schemas"]["BigNumber"];
            ttl?: components["schemas"]["BigNumber"];
            fee: components["schemas"]["BigNumber"];
            nonce: components["schemas"]["BigNumber"];
        } & {
            [key: string]: unknown;
        };
        ChannelDepositTx: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "ChannelDepositTx";
            /** Format: int64 */
            version: number;
            /** @description An identifier. */
            channel_id: string;
            /** @description An identifier. */
            from_id: string;
            amount: components["schemas"]["BigNumber"];
            ttl?: components["schemas"]["BigNumber"];
            fee: components["schemas"]["BigNumber"];
            /** @description Bytes, encoded. */
            state_hash: string;
            round: components["schemas"]["BigNumber"];
            nonce: components["schemas"]["BigNumber"];
        } & {
            [key: string]: unknown;
        };
        ChannelWithdrawTx: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "ChannelWithdrawTx";
            /** Format: int64 */
            version: number;
            /** @description An identifier. */
            channel_id: string;
            /** @description An identifier. */
            to_id: string;
            amount: components["schemas"]["BigNumber"];
            ttl?: components["schemas"]["BigNumber"];
            fee: components["schemas"]["BigNumber"];
            /** @description Bytes, encoded. */
            state_hash: string;
            round: components["schemas"]["BigNumber"];
            nonce: components["schemas"]["BigNumber"];
        } & {
            [key: string]: unknown;
        };
        ChannelForceProgressTx: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "ChannelForceProgressTx";
            /** Format: int64 */
            version: number;
            /** @description An identifier. */
            channel_id: string;
            /** @description An identifier. */
            from_id: string;
            /** @description Bytes, encoded. */
            payload: string;
            round: components["schemas"]["BigNumber"];
            /** @description An update of a channel's state. */
            update: {
                [key: string]: unknown;
            };
            /** @description Bytes, encoded. */
            state_hash: string;
            /** @description Bytes, encoded. */
            offchain_trees: string;
            ttl?: components["schemas"]["BigNumber"];
            fee: components["schemas"]["BigNumber"];
            nonce: components["schemas"]["BigNumber"];
        } & {
            [key: string]: unknown;
        };
        ChannelCloseMutualTx: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "ChannelCloseMutualTx";
            /** Format: int64 */
            version: number;
            /** @description An identifier. */
            channel_id: string;
            /** @description An identifier. */
            from_id: string;
            initiator_amount_final: components["schemas"]["BigNumber"];
            responder_amount_final: components["schemas"]["BigNumber"];
            ttl?: components["schemas"]["BigNumber"];
            fee: components["schemas"]["BigNumber"];
            nonce: components["schemas"]["BigNumber"];
        } & {
            [key: string]: unknown;
        };
        ChannelCloseSoloTx: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "ChannelCloseSoloTx";
            /** Format: int64 */
            version: number;
            /** @description An identifier. */
            channel_id: string;
            /** @description An identifier. */
            from_id: string;
            /** @description Bytes, encoded. */
            payload: string;
            /** @description Bytes, encoded. */
            poi: string;
            ttl?: components["schemas"]["BigNumber"];
            fee: components["schemas"]["BigNumber"];
            nonce: components["schemas"]["BigNumber"];
        } & {
            [key: string]: unknown;
        };
        ChannelSlashTx: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "ChannelSlashTx";
            /** Format: int64 */
            version: number;
            /** @description An identifier. */
            channel_id: string;
            /** @description An identifier. */
            from_id: string;
            /** @description Bytes, encoded. */
            payload: string;
            /** @description Bytes, encoded. */
            poi: string;
            ttl?: components["schemas"]["BigNumber"];
            fee: components["schemas"]["BigNumber"];
            nonce: components["schemas"]["BigNumber"];
        } & {
            [key: string]: unknown;
        };
        ChannelSettleTx: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "ChannelSettleTx";
            /** Format: int64 */
            version: number;
            /** @description An identifier. */
            channel_id: string;
            /** @description An identifier. */
            from_id: string;
            initiator_amount_final: components["schemas"]["BigNumber"];
            responder_amount_final: components["schemas"]["BigNumber"];
            ttl?: components["schemas"]["BigNumber"];
            fee: components["schemas"]["BigNumber"];
            nonce: components["schemas"]["BigNumber"];
        } & {
            [key: string]: unknown;
        };
        ChannelSnapshotSoloTx: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "ChannelSnapshotSoloTx";
            /** Format: int64 */
            version: number;
            /** @description An identifier. */
            channel_id: string;
            /** @description An identifier. */
            from_id: string;
            /** @description Bytes, encoded. */
            payload: string;
            ttl?: components["schemas"]["BigNumber"];
            fee: components["schemas"]["BigNumber"];
            nonce: components["schemas"]["BigNumber"];
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
            /** Format: int64 */
            count: number;
        };
        /**
         * @description A change of the balance of an account.
         * @example {
         *       "height": 1209,
         *       "time": 1546717620000,
         *       "block_hash": "mh_2ZkZMGL9RhzS1k4LkRLv5FDeV2WQzXxWdFh2AExAZm5zLsYMgi",
         *       "transaction_hash": "th_fXvQWEWeUNU3dEMULUSqYETJ9BVkUJEJoMn5GnaHvfYFAVpWC",
         *       "kind": "spend",
         *       "amount": -20000,
         *       "balance": 979000,
         *       "counterparty": "ak_2i9GVHCZTWkRKoLqSwCUaZ7gbLXfVSgwfwTNUBCmMV1MVjRPPf",
         *       "source": "chain"
         *     }
         */
        Movement: {
            /**
             * Format: int64
             * @description Height of a generation.
             */
            height: number;
            /**
             * Format: int64
             * @description Milliseconds since 1970, UTC.
             */
            time: number;
            block_hash: components["schemas"]["BlockHash"];
            /** @description Null for what a key block does. */
            transaction_hash: components["schemas"]["TransactionHash"] | null;
            /**
             * @description Why the balance changed: `docs/protocol/money.md`.
             * @enum {string}
             */
            kind: "spend" | "fee" | "gas" | "call" | "deposit" | "payment" | "name_fee" | "bid" | "bid_refund" | "lock" | "oracle_fee" | "oracle_reward" | "oracle_refund" | "channel_open" | "channel_deposit" | "channel_withdraw" | "channel_close" | "channel_settle" | "reward" | "treasury" | "preset" | "preset_minerva" | "preset_fortuna" | "preset_lima" | "preset_extra_lima" | "preset_contract_lima" | "unexplained";
            /** @description Negative if the account paid. */
            amount: number;
            /** @description Of the account, after it. */
            balance: number;
            /** @description An account, contract, oracle, name or channel. */
            counterparty: string | null;
            /**
             * @description chain: it follows from blocks and call information. node: only the Rosetta interface of the node tells of it.
             * @enum {string}
             */
            source: "chain" | "node";
        };
        /** @description The hash of a key block or a micro block. */
        BlockHash: string;
        /**
         * @example {
         *       "account_id": "ak_2i9GVHCZTWkRKoLqSwCUaZ7gbLXfVSgwfwTNUBCmMV1MVjRPPf",
         *       "height": 1209,
         *       "block_hash": "mh_2ZkZMGL9RhzS1k4LkRLv5FDeV2WQzXxWdFh2AExAZm5zLsYMgi",
         *       "balance": 979000,
         *       "verified": false,
         *       "complete": false,
         *       "incomplete_since": 0
         *     }
         */
        Balance: {
            /** @description As it was asked for. */
            account_id: string;
            /**
             * Format: int64
             * @description Height of a generation.
             */
            height: number;
            block_hash: components["schemas"]["BlockHash"];
            balance: components["schemas"]["BigNumber"];
            /** @description Whether the balance of the account was compared with that of a node, at this height or above it, and was the same. */
            verified: boolean;
            /** @description Whether everything that changed the balance is known. */
            complete: boolean;
            /**
             * Format: int64
             * @description Only where it is not complete: from this height on changes may be missing, of any account.
             */
            incomplete_since?: number;
        };
        /**
         * @example {
         *       "account_id": "ak_2i9GVHCZTWkRKoLqSwCUaZ7gbLXfVSgwfwTNUBCmMV1MVjRPPf",
         *       "opening": {
         *         "balance": 999000,
         *         "after": {
         *           "height": 1208,
         *           "time": 1546717620000,
         *           "block_hash": "mh_2ZkZMGL9RhzS1k4LkRLv5FDeV2WQzXxWdFh2AExAZm5zLsYMgi"
         *         }
         *       },
         *       "closing": {
         *         "balance": 979000,
         *         "after": {
         *           "height": 1209,
         *           "time": 1546717620000,
         *           "block_hash": "mh_2ZkZMGL9RhzS1k4LkRLv5FDeV2WQzXxWdFh2AExAZm5zLsYMgi"
         *         }
         *       },
         *       "kinds": [
         *         {
         *           "kind": "spend",
         *           "count": 1,
         *           "in": 0,
         *           "out": -20000
         *         }
         *       ],
         *       "complete": false,
         *       "incomplete_since": 0
         *     }
         */
        Statement: {
            /** @description As it was asked for. */
            account_id: string;
            opening: {
                balance: components["schemas"]["BigNumber"];
                /** @description The last block that counts; null before the first block. */
                after: {
                    /**
                     * Format: int64
                     * @description Height of a generation.
                     */
                    height: number;
                    /**
                     * Format: int64
                     * @description Milliseconds since 1970, UTC.
                     */
                    time: number;
                    block_hash: components["schemas"]["BlockHash"];
                } | null;
            };
            closing: {
                balance: components["schemas"]["BigNumber"];
                /** @description The last block that counts; null before the first block. */
                after: {
                    /**
                     * Format: int64
                     * @description Height of a generation.
                     */
                    height: number;
                    /**
                     * Format: int64
                     * @description Milliseconds since 1970, UTC.
                     */
                    time: number;
                    block_hash: components["schemas"]["BlockHash"];
                } | null;
            };
            kinds: {
                /** @enum {string} */
                kind: "spend" | "fee" | "gas" | "call" | "deposit" | "payment" | "name_fee" | "bid" | "bid_refund" | "lock" | "oracle_fee" | "oracle_reward" | "oracle_refund" | "channel_open" | "channel_deposit" | "channel_withdraw" | "channel_close" | "channel_settle" | "reward" | "treasury" | "preset" | "preset_minerva" | "preset_fortuna" | "preset_lima" | "preset_extra_lima" | "preset_contract_lima" | "unexplained";
                /** Format: int64 */
                count: number;
                /** @description Sum of what came in. */
                in: number;
                /** @description Sum of what went out, 0 or negative. */
                out: number;
            }[];
            /** @description Whether everything that changed the balance is known. */
            complete: boolean;
            /**
             * Format: int64
             * @description Only where it is not complete: from this height on changes may be missing, of any account.
             */
            incomplete_since?: number;
        };
        /**
         * @description An account that has coins.
         * @example {
         *       "account_id": "ak_2i9GVHCZTWkRKoLqSwCUaZ7gbLXfVSgwfwTNUBCmMV1MVjRPPf",
         *       "balance": 979000,
         *       "verified": false
         *     }
         */
        Holder: {
            /** @description An account, or a contract. */
            account_id: string;
            balance: components["schemas"]["BigNumber"];
            /** @description Whether a node had the same balance. */
            verified: boolean;
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
         *           },
         *           "outcome": "ok"
         *         }
         *       ]
         *     }
         */
        ListedTransactions: {
            transactions: components["schemas"]["ListedTransaction"][];
        };
        /**
         * @description A transaction as the node returns it, and how it ended.
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
         *       "outcome": "ok"
         *     }
         */
        ListedTransaction: {
            /**
             * Format: int64
             * @description Height of its micro block: that of its generation, on a hyperchain one more; -1 while it waits in the pool.
             */
            block_height: number;
            /** @description The hash of its micro block; `none` while it waits in the pool. */
            block_hash: string;
            hash: components["schemas"]["TransactionHash"];
            /** @description Absent where the node gives none. */
            signatures?: components["schemas"]["Signature"][];
            tx: components["schemas"]["Tx"];
            /**
             * @description How the transaction ended; of nested transactions, whether all ended with `ok`. `unknown`: it runs code, and its call information is not stored.
             * @enum {string}
             */
            outcome: "ok" | "revert" | "error" | "unknown";
        } & {
            [key: string]: unknown;
        };
        /** @description The spends of one day, UTC. */
        Rate: {
            /** Format: date */
            date: string;
            /**
             * Format: int64
             * @description Spends of the day.
             */
            count: number;
            /** @description Sum of their amounts. */
            amount: components["schemas"]["Aettos"];
        };
        /**
         * @description Aettos as decimal text; 1 AE is 10^18 aettos; the coin of another network is in `/middleware/network`.
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
            /**
             * Format: int64
             * @description Transactions in this answer.
             */
            total_transactions: number;
            /**
             * Format: int64
             * @description Micro blocks in this answer.
             */
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
            /**
             * Format: int64
             * @description Height of a generation.
             */
            height: number;
            info?: string;
            miner: components["schemas"]["AccountId"];
            prev_hash: components["schemas"]["BlockHash"];
            prev_key_hash: components["schemas"]["KeyBlockHash"];
            state_hash?: string;
            target: components["schemas"]["BigNumber"];
            /**
             * Format: int64
             * @description Milliseconds since 1970, UTC.
             */
            time: number;
            /**
             * Format: int64
             * @description Number of the protocol.
             */
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
        /** @description The hash of a micro block. */
        MicroBlockHash: string;
        /** @description A micro block with its transactions by hash. */
        WholeMicroBlock: {
            hash: components["schemas"]["MicroBlockHash"];
            pof_hash?: string;
            prev_hash: components["schemas"]["BlockHash"];
            prev_key_hash: components["schemas"]["KeyBlockHash"];
            signature?: components["schemas"]["Signature"];
            state_hash?: string;
            /**
             * Format: int64
             * @description Milliseconds since 1970, UTC.
             */
            time: number;
            txs_hash?: string;
            /** Format: int64 */
            version?: number;
            transactions: {
                [key: string]: components["schemas"]["Transaction"];
            };
        } & {
            [key: string]: unknown;
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
            /**
             * Format: int64
             * @description Height of its micro block: that of its generation, on a hyperchain one more; -1 while it waits in the pool.
             */
            block_height: number;
            /** @description The hash of its micro block; `none` while it waits in the pool. */
            block_hash: string;
            hash: components["schemas"]["TransactionHash"];
            /** @description Absent where the node gives none. */
            signatures?: components["schemas"]["Signature"][];
            tx: components["schemas"]["Tx"];
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
            /**
             * Format: int64
             * @description Height of a generation.
             */
            height: number;
            info?: string;
            miner: components["schemas"]["AccountId"];
            prev_hash: components["schemas"]["BlockHash"];
            prev_key_hash: components["schemas"]["KeyBlockHash"];
            state_hash?: string;
            target: components["schemas"]["BigNumber"];
            /**
             * Format: int64
             * @description Milliseconds since 1970, UTC.
             */
            time: number;
            /**
             * Format: int64
             * @description Number of the protocol.
             */
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
            /**
             * Format: int64
             * @description Milliseconds since 1970, UTC.
             */
            time: number;
            txs_hash?: string;
            /** Format: int64 */
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
            /**
             * Format: int64
             * @description Height of a generation.
             */
            block_height: number;
            block_hash: components["schemas"]["MicroBlockHash"];
            hash: components["schemas"]["TransactionHash"];
            /** @description All signatures, separated by spaces. */
            signatures: string | null;
            tx_type: string;
            tx: components["schemas"]["Tx"];
            fee: components["schemas"]["Aettos"];
            /**
             * Format: int64
             * @description Bytes of `tx` as compact JSON.
             */
            size: number;
        };
        /**
         * @example {
         *       "height": 1209
         *     }
         */
        Height: {
            /**
             * Format: int64
             * @description Height of a generation.
             */
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
            /**
             * Format: int64
             * @description Height of a generation.
             */
            height: number;
            coinbase: components["schemas"]["Aettos"];
            beneficiary: components["schemas"]["AccountId"];
            /** @description The part of the fees that goes to this key block. */
            fees: components["schemas"]["Aettos"];
            total: components["schemas"]["Aettos"];
        };
        /** @description What the chain did in one step of time. */
        TimeFigures: {
            /**
             * Format: int64
             * @description When the step begins.
             */
            start: number;
            /**
             * Format: int64
             * @description The highest height of the step.
             */
            height: number;
            /** Format: int64 */
            key_blocks: number;
            /** Format: int64 */
            transactions: number;
            /** @description The transactions by type. */
            types: {
                [key: string]: number;
            };
            fees: components["schemas"]["Aettos"];
            /**
             * Format: int64
             * @description Bytes of the transactions.
             */
            size: number;
            /** @description Issued by the key blocks of the step, without fees. Null on a hyperchain: its contracts pay the leaders, and no table says what. */
            coinbase: components["schemas"]["Aettos"] | null;
            /** @description Of the whole chain, up to the end of the step. */
            total: {
                /** Format: int64 */
                transactions: number;
                /** Format: int64 */
                size: number;
                /** @description Issued by all key blocks, without fees. Null on a hyperchain: its contracts pay the leaders, and no table says what. */
                coinbase: components["schemas"]["Aettos"] | null;
            };
        };
        /** @description What one generation contains. */
        GenerationFigures: {
            /**
             * Format: int64
             * @description Height of a generation.
             */
            height: number;
            hash: components["schemas"]["KeyBlockHash"];
            /**
             * Format: int64
             * @description Milliseconds since 1970, UTC.
             */
            time: number;
            beneficiary: components["schemas"]["AccountId"];
            /** Format: int64 */
            transactions: number;
            fees: components["schemas"]["Aettos"];
            /**
             * Format: int64
             * @description Bytes of the transactions.
             */
            size: number;
            micro_blocks: {
                hash: components["schemas"]["MicroBlockHash"];
                /**
                 * Format: int64
                 * @description Milliseconds since 1970, UTC.
                 */
                time: number;
                /** Format: int64 */
                transactions: number;
                fees: components["schemas"]["Aettos"];
                /** @description The transactions by type. */
                types: {
                    [key: string]: number;
                };
            }[];
        };
        /**
         * @example {
         *       "size": 499426140
         *     }
         */
        Size: {
            /** Format: int64 */
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
            /**
             * Format: int64
             * @description Height of the claim.
             */
            created_at_height: number;
            /**
             * Format: int64
             * @description Last height of the auction; height of the claim where there was none.
             */
            auction_end_height: number;
            /** @description During an auction the highest bidder. */
            owner: components["schemas"]["AccountId"];
            /**
             * Format: int64
             * @description Height of a generation.
             */
            expires_at: number;
            /** @description Null where the name was never updated. */
            pointers: components["schemas"]["Pointer"][] | null;
            /**
             * @description Absent if the record follows from transactions. `node`: a node has another one, because of contract calls, and this is what it has. `unknown`: it can no longer be compared with a node, or was not since it changed.
             * @enum {string}
             */
            source?: "node" | "unknown";
        };
        /** @description The hash of a name. */
        NameHash: string;
        NamedAccount: {
            /** @description As it was asked for. */
            account: string;
            name: string;
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
            /**
             * Format: int64
             * @description Last height of the auction: a bid there still counts.
             */
            expiration: number;
            winning_bid: components["schemas"]["Aettos"];
            winning_bidder: components["schemas"]["AccountId"];
            /**
             * @description Absent if the record follows from transactions. `node`: a node has another one, because of contract calls, and this is what it has. `unknown`: it can no longer be compared with a node, or was not since it changed.
             * @enum {string}
             */
            source?: "node" | "unknown";
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
            /**
             * Format: int64
             * @description Height of a generation.
             */
            block_height: number;
        };
        /** @description A contract. */
        ContractId: string;
        /**
         * @description A decoded call.
         * @example {
         *       "transaction_id": "th_fXvQWEWeUNU3dEMULUSqYETJ9BVkUJEJoMn5GnaHvfYFAVpWC",
         *       "contract_id": "ct_Y5xhBfYMNbx1335iRn5eUhBt4tGw8EQDdnUKpKgw5g8GaqD3a",
         *       "caller_id": "ak_2i9GVHCZTWkRKoLqSwCUaZ7gbLXfVSgwfwTNUBCmMV1MVjRPPf",
         *       "arguments": {
         *         "function": "createProof",
         *         "arguments": [
         *           {
         *             "type": "string",
         *             "value": "testtest"
         *           }
         *         ]
         *       },
         *       "callinfo": {
         *         "caller_id": "ak_2i9GVHCZTWkRKoLqSwCUaZ7gbLXfVSgwfwTNUBCmMV1MVjRPPf",
         *         "caller_nonce": 131,
         *         "contract_id": "ct_Y5xhBfYMNbx1335iRn5eUhBt4tGw8EQDdnUKpKgw5g8GaqD3a",
         *         "gas_price": 1000000000,
         *         "gas_used": 22150,
         *         "height": 1209,
         *         "log": [],
         *         "return_type": "ok",
         *         "return_value": "cb_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAACr8s/aY"
         *       },
         *       "result": null
         *     }
         */
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
        /**
         * @description An event that a contract emitted.
         * @example {
         *       "transaction_hash": "th_fXvQWEWeUNU3dEMULUSqYETJ9BVkUJEJoMn5GnaHvfYFAVpWC",
         *       "block_hash": "mh_2ZkZMGL9RhzS1k4LkRLv5FDeV2WQzXxWdFh2AExAZm5zLsYMgi",
         *       "block_height": 1209,
         *       "time": 1546717620000,
         *       "log_index": 0,
         *       "contract_id": "ct_Y5xhBfYMNbx1335iRn5eUhBt4tGw8EQDdnUKpKgw5g8GaqD3a",
         *       "called_id": "ct_Y5xhBfYMNbx1335iRn5eUhBt4tGw8EQDdnUKpKgw5g8GaqD3a",
         *       "event": "Transfer",
         *       "topics": [
         *         7,
         *         1,
         *         2,
         *         3
         *       ],
         *       "data": "cb_Xfbg4g=="
         *     }
         */
        ContractLog: {
            transaction_hash: components["schemas"]["TransactionHash"];
            block_hash: components["schemas"]["MicroBlockHash"];
            /**
             * Format: int64
             * @description Height of a generation.
             */
            block_height: number;
            /**
             * Format: int64
             * @description Milliseconds since 1970, UTC.
             */
            time: number;
            /**
             * Format: int64
             * @description From 0, in the order in which the transaction emitted them.
             */
            log_index: number;
            /** @description The contract whose code emitted it. */
            contract_id: components["schemas"]["ContractId"];
            /** @description The contract that the transaction called or created. */
            called_id: components["schemas"]["ContractId"];
            /** @description Its name, if it is an event of a token, of wrapped coins or of the exchange. */
            event: string | null;
            /** @description The hash of its name, then its indexed arguments. */
            topics: components["schemas"]["BigNumber"][];
            /** @description The argument that is not indexed. */
            data: string;
        };
        /**
         * @description A token, or a collection of tokens.
         * @example {
         *       "contract_id": "ct_Y5xhBfYMNbx1335iRn5eUhBt4tGw8EQDdnUKpKgw5g8GaqD3a",
         *       "standard": "aex9",
         *       "meta_state": "ok",
         *       "name": "Example",
         *       "symbol": "EX",
         *       "decimals": 18,
         *       "extensions": [
         *         "mintable"
         *       ],
         *       "base_url": null,
         *       "metadata_type": null,
         *       "supply": 5000000000000000000,
         *       "initial_supply": 5000000000000000000,
         *       "made": null,
         *       "token_limit": null,
         *       "template_limit": null,
         *       "holders": 2,
         *       "events": 1,
         *       "invalid_reason": null,
         *       "invalid_description": null,
         *       "height": 1209,
         *       "time": 1546717623000,
         *       "transaction_hash": "th_FY3hXhMK1B6ubbNu8Wv6N4xp2WQ9SFyFVV6DxnCJesu6ns1x4"
         *     }
         */
        Token: {
            contract_id: components["schemas"]["ContractId"];
            /**
             * @description aex141: a collection of single tokens.
             * @enum {string}
             */
            standard: "aex9" | "aex141";
            /**
             * @description What came of asking the token for its name: due: it is asked for; failed: its functions end with an error; malformed: they return something else.
             * @enum {string}
             */
            meta_state: "due" | "ok" | "failed" | "malformed";
            /** @description As the token says it, whatever characters it has; null while it is not known. */
            name: string | null;
            /** @description As the token says it, whatever characters it has; null while it is not known. */
            symbol: string | null;
            decimals: components["schemas"]["Decimals"];
            extensions: string[];
            /** @description Of a collection: what links to metadata begin with; not checked. */
            base_url: string | null;
            /** @description Of a collection: `url`, `ipfs`, `object_id` or `map`. */
            metadata_type: string | null;
            /** @description Sum of what accounts hold; of a collection the number of its tokens. */
            supply: number;
            /** @description What accounts held after the block of its creation; null if it is not known. */
            initial_supply: components["schemas"]["BigNumber"] | null;
            /**
             * Format: int64
             * @description Of a collection: tokens that were made, also those that are burnt.
             */
            made: number | null;
            /** @description Of a collection: null without a limit. */
            token_limit: components["schemas"]["BigNumber"] | null;
            /** @description Of a collection: null without a limit. */
            template_limit: components["schemas"]["BigNumber"] | null;
            /** Format: int64 */
            holders: number;
            /**
             * Format: int64
             * @description Events that it emitted.
             */
            events: number;
            /** @description Why its balances do not follow from its events: `balances_differ`, `owners_differ`, `supply_differs`, `negative_balances`. Null if nothing of that is known. */
            invalid_reason: string | null;
            /** @description The same in words, and what is shown then. */
            invalid_description: string | null;
            /**
             * Format: int64
             * @description Height of its creation, or where it was seen first.
             */
            height: number;
            /**
             * Format: int64
             * @description Milliseconds since 1970, UTC.
             */
            time: number;
            transaction_hash: components["schemas"]["TransactionHash"];
        };
        /** @description Digits of amounts after the point, as the token says it: any integer. Null while it is not known, and of collections. */
        Decimals: components["schemas"]["BigNumber"] | null;
        /** @description A contract that is no token, and why. */
        RefusedToken: {
            contract_id: components["schemas"]["ContractId"];
            transaction_hash: components["schemas"]["TransactionHash"];
            /**
             * Format: int64
             * @description Height of a generation.
             */
            block_height: number;
            /** @description `aex9` or `aex141`, of which it has the largest part; null if its code cannot be read. */
            standard: string | null;
            /** @description Functions of the standard that it does not have. */
            missing: string[];
            /** @description Functions of the standard that have other types. */
            different: string[];
        };
        /**
         * @description A swap of two tokens.
         * @example {
         *       "height": 1209,
         *       "time": 1546717623000,
         *       "transaction_hash": "th_FY3hXhMK1B6ubbNu8Wv6N4xp2WQ9SFyFVV6DxnCJesu6ns1x4",
         *       "log_index": 3,
         *       "pair": "ct_Y5xhBfYMNbx1335iRn5eUhBt4tGw8EQDdnUKpKgw5g8GaqD3a",
         *       "caller": "ak_2i9GVHCZTWkRKoLqSwCUaZ7gbLXfVSgwfwTNUBCmMV1MVjRPPf",
         *       "recipient": "ak_2i9GVHCZTWkRKoLqSwCUaZ7gbLXfVSgwfwTNUBCmMV1MVjRPPf",
         *       "from_contract": "ct_Y5xhBfYMNbx1335iRn5eUhBt4tGw8EQDdnUKpKgw5g8GaqD3a",
         *       "from_symbol": "EX",
         *       "from_decimals": 18,
         *       "from_amount": 20000000000000000,
         *       "to_contract": "ct_Y5xhBfYMNbx1335iRn5eUhBt4tGw8EQDdnUKpKgw5g8GaqD3a",
         *       "to_symbol": "WAE",
         *       "to_decimals": 18,
         *       "to_amount": 10000000000000000
         *     }
         */
        TokenSwap: {
            /**
             * Format: int64
             * @description Height of a generation.
             */
            height: number;
            /**
             * Format: int64
             * @description Milliseconds since 1970, UTC.
             */
            time: number;
            transaction_hash: components["schemas"]["TransactionHash"];
            /** Format: int64 */
            log_index: number;
            pair: components["schemas"]["ContractId"];
            /** @description Who made the swap; a contract, such as a router, where it called the pair. */
            caller: components["schemas"]["AccountId"];
            recipient: components["schemas"]["AccountId"];
            /** @description The token that was given. */
            from_contract: components["schemas"]["ContractId"];
            /** @description As the token says it, whatever characters it has; null while it is not known. */
            from_symbol: string | null;
            from_decimals: components["schemas"]["Decimals"];
            /** @description In the smallest unit of the token. */
            from_amount: number;
            /** @description The token that was got. */
            to_contract: components["schemas"]["ContractId"];
            /** @description As the token says it, whatever characters it has; null while it is not known. */
            to_symbol: string | null;
            to_decimals: components["schemas"]["Decimals"];
            /** @description In the smallest unit of the token. */
            to_amount: number;
        };
        /**
         * @example {
         *       "height": 1209,
         *       "time": 1546717623000,
         *       "transaction_hash": "th_FY3hXhMK1B6ubbNu8Wv6N4xp2WQ9SFyFVV6DxnCJesu6ns1x4",
         *       "log_index": 0,
         *       "change": 1000000000000000000,
         *       "supply": 5000000000000000000
         *     }
         */
        SupplyChange: {
            /**
             * Format: int64
             * @description Height of a generation.
             */
            height: number;
            /**
             * Format: int64
             * @description Milliseconds since 1970, UTC.
             */
            time: number;
            transaction_hash: components["schemas"]["TransactionHash"];
            /** Format: int64 */
            log_index: number;
            /** @description What was made; below 0 for what ended. In the smallest unit. */
            change: number;
            /** @description After it. */
            supply: number;
        };
        /**
         * @example {
         *       "account_id": "ak_2i9GVHCZTWkRKoLqSwCUaZ7gbLXfVSgwfwTNUBCmMV1MVjRPPf",
         *       "amount": 20000000000000000,
         *       "height": 1209,
         *       "time": 1546717623000,
         *       "transaction_hash": "th_FY3hXhMK1B6ubbNu8Wv6N4xp2WQ9SFyFVV6DxnCJesu6ns1x4",
         *       "log_index": 0
         *     }
         */
        TokenHolder: {
            account_id: components["schemas"]["AccountId"];
            /** @description In the smallest unit; below 0 if events do not tell all. */
            amount: number;
            /**
             * Format: int64
             * @description Height of a generation.
             */
            height: number;
            /**
             * Format: int64
             * @description Milliseconds since 1970, UTC.
             */
            time: number;
            transaction_hash: components["schemas"]["TransactionHash"];
            /** @description The event that changed it last; null: the creation. */
            log_index: number | null;
        };
        /**
         * @example {
         *       "height": 1209,
         *       "time": 1546717623000,
         *       "transaction_hash": "th_FY3hXhMK1B6ubbNu8Wv6N4xp2WQ9SFyFVV6DxnCJesu6ns1x4",
         *       "log_index": 0,
         *       "sender": "ak_2i9GVHCZTWkRKoLqSwCUaZ7gbLXfVSgwfwTNUBCmMV1MVjRPPf",
         *       "recipient": "ak_22do7DzdcNknYKyFzKssjDicnH68nNYPUucozdA51o8rAtgX8y",
         *       "amount": 20000000000000000,
         *       "token_id": null,
         *       "invalid_reason": null
         *     }
         */
        TokenTransfer: {
            /**
             * Format: int64
             * @description Height of a generation.
             */
            height: number;
            /**
             * Format: int64
             * @description Milliseconds since 1970, UTC.
             */
            time: number;
            transaction_hash: components["schemas"]["TransactionHash"];
            /** Format: int64 */
            log_index: number;
            sender: components["schemas"]["AccountId"];
            recipient: components["schemas"]["AccountId"];
            /** @description Null for a single token of a collection. */
            amount: components["schemas"]["BigNumber"] | null;
            /** @description The single token of a collection; null otherwise. */
            token_id: components["schemas"]["BigNumber"] | null;
            /** @description Why what follows from the events of the token is in doubt: `balances_differ`, `owners_differ`, `supply_differs`, `negative_balances`. Null if nothing of that is known. */
            invalid_reason: string | null;
        };
        /**
         * @description A single token and its owner.
         * @example {
         *       "token_id": 7,
         *       "owner": "ak_2i9GVHCZTWkRKoLqSwCUaZ7gbLXfVSgwfwTNUBCmMV1MVjRPPf",
         *       "invalid_reason": null,
         *       "height": 1209,
         *       "time": 1546717623000,
         *       "transaction_hash": "th_FY3hXhMK1B6ubbNu8Wv6N4xp2WQ9SFyFVV6DxnCJesu6ns1x4"
         *     }
         */
        SingleToken: {
            token_id: components["schemas"]["BigNumber"];
            owner: components["schemas"]["AccountId"];
            /** @description Why what follows from the events of the token is in doubt: `balances_differ`, `owners_differ`, `supply_differs`, `negative_balances`. Null if nothing of that is known. */
            invalid_reason: string | null;
            /**
             * Format: int64
             * @description Height of a generation.
             */
            height: number;
            /**
             * Format: int64
             * @description Milliseconds since 1970, UTC.
             */
            time: number;
            transaction_hash: components["schemas"]["TransactionHash"];
        };
        /**
         * @description What an account allows another one to spend of a token.
         * @example {
         *       "contract_id": "ct_Y5xhBfYMNbx1335iRn5eUhBt4tGw8EQDdnUKpKgw5g8GaqD3a",
         *       "owner": "ak_2i9GVHCZTWkRKoLqSwCUaZ7gbLXfVSgwfwTNUBCmMV1MVjRPPf",
         *       "spender": "ak_22do7DzdcNknYKyFzKssjDicnH68nNYPUucozdA51o8rAtgX8y",
         *       "amount": 20000000000000000,
         *       "decimals": 18,
         *       "name": "Example",
         *       "symbol": "EX",
         *       "state": "ok",
         *       "event_amount": 20000000000000000,
         *       "height": 1209,
         *       "time": 1546717623000,
         *       "transaction_hash": "th_FY3hXhMK1B6ubbNu8Wv6N4xp2WQ9SFyFVV6DxnCJesu6ns1x4",
         *       "log_index": 0
         *     }
         */
        TokenAllowance: {
            contract_id: components["schemas"]["ContractId"];
            owner: components["schemas"]["AccountId"];
            spender: components["schemas"]["AccountId"];
            /** @description In the smallest unit, as the token told it; null unless the state is ok. */
            amount: components["schemas"]["BigNumber"] | null;
            decimals: components["schemas"]["Decimals"];
            /** @description As the token says it, whatever characters it has; null while it is not known. */
            name: string | null;
            /** @description As the token says it, whatever characters it has; null while it is not known. */
            symbol: string | null;
            /**
             * @description What came of asking the token after the event: due: it is asked; failed: its function ends with an error; malformed: it returns something else.
             * @enum {string}
             */
            state: "due" | "ok" | "failed" | "malformed";
            /** @description What the last event about both accounts says. */
            event_amount: number;
            /**
             * Format: int64
             * @description Height of a generation.
             */
            height: number;
            /**
             * Format: int64
             * @description Milliseconds since 1970, UTC.
             */
            time: number;
            transaction_hash: components["schemas"]["TransactionHash"];
            /**
             * Format: int64
             * @description Of that event.
             */
            log_index: number;
        };
        /**
         * @description What an account holds of a token.
         * @example {
         *       "contract_id": "ct_Y5xhBfYMNbx1335iRn5eUhBt4tGw8EQDdnUKpKgw5g8GaqD3a",
         *       "amount": 20000000000000000,
         *       "decimals": 18,
         *       "name": "Example",
         *       "symbol": "EX",
         *       "height": 1209,
         *       "time": 1546717623000,
         *       "transaction_hash": "th_FY3hXhMK1B6ubbNu8Wv6N4xp2WQ9SFyFVV6DxnCJesu6ns1x4",
         *       "log_index": 0
         *     }
         */
        TokenHolding: {
            contract_id: components["schemas"]["ContractId"];
            /** @description In the smallest unit; below 0 if events do not tell all. */
            amount: number;
            decimals: components["schemas"]["Decimals"];
            /** @description As the token says it, whatever characters it has; null while it is not known. */
            name: string | null;
            /** @description As the token says it, whatever characters it has; null while it is not known. */
            symbol: string | null;
            /**
             * Format: int64
             * @description Height of a generation.
             */
            height: number;
            /**
             * Format: int64
             * @description Milliseconds since 1970, UTC.
             */
            time: number;
            transaction_hash: components["schemas"]["TransactionHash"];
            /** @description The event that changed it last; null: the creation. */
            log_index: number | null;
        };
        /**
         * @description A single token that an account owns.
         * @example {
         *       "contract_id": "ct_Y5xhBfYMNbx1335iRn5eUhBt4tGw8EQDdnUKpKgw5g8GaqD3a",
         *       "token_id": 7,
         *       "invalid_reason": null,
         *       "height": 1209,
         *       "time": 1546717623000,
         *       "transaction_hash": "th_FY3hXhMK1B6ubbNu8Wv6N4xp2WQ9SFyFVV6DxnCJesu6ns1x4"
         *     }
         */
        OwnedToken: {
            contract_id: components["schemas"]["ContractId"];
            token_id: components["schemas"]["BigNumber"];
            /** @description Why what follows from the events of the token is in doubt: `balances_differ`, `owners_differ`, `supply_differs`, `negative_balances`. Null if nothing of that is known. */
            invalid_reason: string | null;
            /**
             * Format: int64
             * @description Height of a generation.
             */
            height: number;
            /**
             * Format: int64
             * @description Milliseconds since 1970, UTC.
             */
            time: number;
            transaction_hash: components["schemas"]["TransactionHash"];
        };
        Verified: {
            verified: boolean;
        };
        /** @description What kept the compiler from answering. */
        CompilerError: {
            error: string;
        };
        Compilers: {
            compilers: string[];
        };
        /** @description An active oracle. */
        Oracle: {
            oracle_id: components["schemas"]["OracleId"];
            /** @description The latest registration. */
            transaction_hash: components["schemas"]["TransactionHash"];
            /**
             * Format: int64
             * @description Height of the latest registration.
             */
            block_height: number;
            /**
             * Format: int64
             * @description Height of a generation.
             */
            expires_at: number;
            tx: components["schemas"]["Tx"];
            /**
             * @description Absent if the record follows from transactions. `node`: a node has another one, because of contract calls, and this is what it has. `unknown`: it can no longer be compared with a node, or was not since it changed.
             * @enum {string}
             */
            source?: "node" | "unknown";
        };
        /** @description An oracle. */
        OracleId: string;
        /** @description A question to an oracle and its answer. */
        Question: {
            query_id: components["schemas"]["QueryId"];
            request: components["schemas"]["ToldQuery"];
            /** @description The answer with its hash and time; null while there is none. */
            response: ({
                /** @enum {string} */
                type: "OracleRespondTx" | "OracleResponseTx";
                /** Format: int64 */
                version: number;
                /** @description An identifier. */
                oracle_id: string;
                nonce: components["schemas"]["BigNumber"];
                /** @description Bytes, encoded. */
                query_id: string;
                response: string;
                response_ttl: components["schemas"]["RelativeTtl"];
                fee: components["schemas"]["BigNumber"];
                ttl?: components["schemas"]["BigNumber"];
                hash: components["schemas"]["TransactionHash"];
                /**
                 * Format: int64
                 * @description Time of the micro block, ms since 1970.
                 */
                timestamp: number;
            } & {
                [key: string]: unknown;
            }) | null;
        };
        /** @description A question to an oracle. */
        QueryId: string;
        /** @description The question with its hash and time. */
        ToldQuery: {
            /** @enum {string} */
            type: "OracleQueryTx";
            /** Format: int64 */
            version: number;
            /** @description An identifier. */
            sender_id: string;
            nonce: components["schemas"]["BigNumber"];
            /** @description An identifier. */
            oracle_id: string;
            query: string;
            query_fee: components["schemas"]["BigNumber"];
            query_ttl: components["schemas"]["RelativeTtl"];
            response_ttl: components["schemas"]["RelativeTtl"];
            fee: components["schemas"]["BigNumber"];
            ttl?: components["schemas"]["BigNumber"];
            hash: components["schemas"]["TransactionHash"];
            /**
             * Format: int64
             * @description Time of the micro block, ms since 1970.
             */
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
            /**
             * Format: int64
             * @description Height of a generation.
             */
            height: number;
            info?: string;
            miner: components["schemas"]["AccountId"];
            prev_hash: components["schemas"]["BlockHash"];
            prev_key_hash: components["schemas"]["KeyBlockHash"];
            state_hash?: string;
            target: components["schemas"]["BigNumber"];
            /**
             * Format: int64
             * @description Milliseconds since 1970, UTC.
             */
            time: number;
            /**
             * Format: int64
             * @description Number of the protocol.
             */
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
            /**
             * Format: int64
             * @description Milliseconds since 1970, UTC.
             */
            time: number;
            txs_hash?: string;
            /** Format: int64 */
            version?: number;
            /**
             * Format: int64
             * @description Height of a generation.
             */
            height: number;
        } & {
            [key: string]: unknown;
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
            /**
             * Format: int64
             * @description Heights waiting to be loaded.
             */
            queue_length: number;
            /**
             * Format: int64
             * @description Null while nothing is stored.
             */
            seconds_since_last_block: number | null;
            /**
             * Format: int64
             * @description Transactions of the last 500 heights that could not be understood.
             */
            errors_last_500_blocks: number;
            /** @description Height up to which all that is stored is proven by its hashes; null while nothing is. */
            proven_height: number | null;
            /** @description The service's version. */
            version: string;
            /** @description Transactions and blocks of the last 500 heights that could not be proven, by type; absent if there are none. */
            unproven_last_500_blocks?: {
                [key: string]: number;
            };
            /**
             * Format: int64
             * @description Transactions of the last 500 heights whose call information no node answers: what they do is told as if they had succeeded. Absent if there are none.
             */
            unknown_call_infos_last_500_blocks?: number;
            /** @description After an upgrade: height up to which a new table has the rows of the blocks that the earlier version stored, by table. Absent when all have all. */
            backfills?: {
                [key: string]: number;
            };
            /**
             * Format: int64
             * @description Names, auctions and oracles of which the node has another record than follows from transactions, because of contract calls: served as the node has them. Absent if there are none.
             */
            records_of_node?: number;
            /** @description Two nodes contradict each other about what no proof covers. What is stored is what the first one answered. Absent while none do, or without SECOND_OPINION_SHARE. */
            second_opinion?: {
                /**
                 * Format: int64
                 * @description Transactions and blocks about which they do.
                 */
                differences: number;
                /** @description The first of them: height, transaction or block, member, and both nodes. */
                reason: string;
            };
            /** @description What the populator waits for, while it does. */
            node_state?: string;
            /** @description A reorg that waits for a second node or mdw accept-reorg, while one does. */
            held_reorg?: {
                /** @description Top key block of the branch. */
                hash: string;
                /**
                 * Format: int64
                 * @description Height of a generation.
                 */
                height: number;
                /**
                 * Format: int64
                 * @description Key blocks that it would take back.
                 */
                depth: number;
            };
            /** @description Why it waits, such as the block and the member that are not proven. */
            node_reason?: string;
        };
        /**
         * @example {
         *       "network_id": "ae_mainnet",
         *       "genesis_key_block_hash": "kh_pbtwgLrNu23k9PA6XCZnUbtsvEFeQGgavY4FS2do3QP8kcp2z",
         *       "consensus": "pow",
         *       "milliseconds_per_block": 180000,
         *       "rewards": "protocol",
         *       "currency": {
         *         "name": "aeternity",
         *         "symbol": "AE",
         *         "subunit": "aetto",
         *         "digits": 18
         *       }
         *     }
         */
        Network: {
            network_id: string;
            genesis_key_block_hash: components["schemas"]["KeyBlockHash"];
            /**
             * @description Who makes key blocks: whoever finds a proof of work, the only node, or the validator whose turn it is. Null while only the genesis block is stored.
             * @enum {string|null}
             */
            consensus: "pow" | "on_demand" | "hyperchain" | null;
            /**
             * Format: int64
             * @description Between key blocks; null if too few are stored.
             */
            milliseconds_per_block: number | null;
            /**
             * @description Whether the table of the protocol says what key blocks issue.
             * @enum {string}
             */
            rewards: "protocol" | "unknown";
            /** @description The coin, as a node of the network told it. */
            currency: {
                name: string;
                symbol: string;
                /** @description The smallest unit, in which all amounts are. */
                subunit: string;
                /**
                 * Format: int64
                 * @description Digits after the point: one coin has 10^digits of the smallest unit.
                 */
                digits: number;
            };
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
            /** @description Why not, or with `without_database` why the database cannot be read. */
            reason?: string;
            /** @description The same for programs: the code of a fault, or `starting`, `loading`, `lag_unknown`, `behind`. */
            code?: string;
            /**
             * @description The database cannot be read. The server has read it before, so it still forwards requests and answers from its cache; the other members are then absent.
             * @constant
             */
            without_database?: true;
            /** @description Height of a generation. */
            height?: number | null;
            /**
             * Format: int64
             * @description Time of the head key block, ms since 1970.
             */
            head_time?: number | null;
            /** @description Height of a generation. */
            node_height?: number | null;
            node_state?: string | null;
            /**
             * Format: int64
             * @description Key blocks behind the node; null when unknown.
             */
            lag?: number | null;
            /** @description The first load has not yet reached the top. */
            loading?: boolean;
            /** @description A reorg that waits for a second node or mdw accept-reorg, while one does. */
            held_reorg?: {
                /** @description Top key block of the branch. */
                hash: string;
                /**
                 * Format: int64
                 * @description Height of a generation.
                 */
                height: number;
                /**
                 * Format: int64
                 * @description Key blocks that it would take back.
                 */
                depth: number;
            };
            /**
             * Format: int64
             * @description Of a populator that verifies in the background: rows that it found wrong and could not mend.
             */
            differing_rows?: number;
            /**
             * @description The populator has not reported for ten seconds, or three times `POLL_INTERVAL_MS`: `node_height` is what the node answers to this process.
             * @constant
             */
            populator_silent?: true;
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
                /**
                 * @example {
                 *       "reason": "Not found"
                 *     }
                 */
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
                /**
                 * @example {
                 *       "reason": "Not found"
                 *     }
                 */
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
                /**
                 * @example {
                 *       "reason": "Not found"
                 *     }
                 */
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
                /**
                 * @example {
                 *       "reason": "Not found"
                 *     }
                 */
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
                /**
                 * @example {
                 *       "reason": "Not found"
                 *     }
                 */
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
                /**
                 * @example {
                 *       "reason": "Not found"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The database cannot answer just now, or the chain is loaded for the first time and what is asked for may not be there yet. */
        Unavailable: {
            headers: {
                /** @description Name of this request in the logs; the one of the request if it had one. */
                "x-request-id"?: string;
                /** @description Seconds after which to try again. */
                "Retry-After"?: number;
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "reason": "Not found"
                 *     }
                 */
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
                /**
                 * @example {
                 *       "reason": "Not found"
                 *     }
                 */
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
                /**
                 * @example {
                 *       "reason": "Not found"
                 *     }
                 */
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
                /**
                 * @example {
                 *       "reason": "Not found"
                 *     }
                 */
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
                /**
                 * @example {
                 *       "reason": "Not found"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The node's own refusal. */
        NodeRefusal400: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "reason": "Block not found",
                 *       "error_code": "block_not_found"
                 *     }
                 */
                "application/json": components["schemas"]["NodeError"];
            };
        };
        /** @description The node's own refusal. */
        NodeRefusal404: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "reason": "Block not found",
                 *       "error_code": "block_not_found"
                 *     }
                 */
                "application/json": components["schemas"]["NodeError"];
            };
        };
        /** @description The node's own refusal. */
        NodeRefusal410: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "reason": "Block not found",
                 *       "error_code": "block_not_found"
                 *     }
                 */
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
                /**
                 * @example {
                 *       "reason": "Not found"
                 *     }
                 */
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
                /**
                 * @example {
                 *       "reason": "Not found"
                 *     }
                 */
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
                /**
                 * @example {
                 *       "reason": "Not found"
                 *     }
                 */
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
                limit?: number;
                page?: number;
                cursor?: string;
                txtype?: string;
                tx_type?: string;
                include?: string;
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
                    /** @description Query parameters that have no effect, separated by commas: unknown names, values that count as absent, `page` without `limit`, and unknown types in `txtype`, which find nothing. `*` stands for names in other characters and for more than 16. */
                    "x-ignored-parameters"?: string;
                    /** @description Height of the key block that the answer was made from. */
                    "x-chain-height"?: number;
                    /** @description Hash of that key block. */
                    "x-chain-hash"?: string;
                    /** @description Names these bytes: with `If-None-Match` they are sent only if they have changed. */
                    ETag?: string;
                    /** @description How long the answer may be kept. */
                    "Cache-Control"?: string;
                    /** @description Only while the database cannot be read: seconds since the answer was read from it. */
                    Age?: number;
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
                    /**
                     * @example [
                     *       {
                     *         "block_hash": "mh_SVPezZ4rsoGfX9kEmmqESYZTQs6RSRem73GW5QwhwrRZeVDW1",
                     *         "block_height": 1209,
                     *         "hash": "th_SZufyzxPitBWd9GcwUX6Wsam4yFJFF8qgD3sXytBYAPRScyfj",
                     *         "signatures": [
                     *           "sg_VWKZDvWtYpMtDR73XEa4dYDYNBAXCQYywCCi82Qg179adHLXZ5Ff7pDXW8uMsLvPpgeP6gh5fMkzYNpNKxJHF7HVNbBGF"
                     *         ],
                     *         "tx": {
                     *           "amount": 20000000000000000,
                     *           "fee": 16840000000000,
                     *           "nonce": 130,
                     *           "payload": "ba_Xfbg4g==",
                     *           "recipient_id": "ak_22do7DzdcNknYKyFzKssjDicnH68nNYPUucozdA51o8rAtgX8y",
                     *           "sender_id": "ak_2i9GVHCZTWkRKoLqSwCUaZ7gbLXfVSgwfwTNUBCmMV1MVjRPPf",
                     *           "ttl": 1300,
                     *           "type": "SpendTx",
                     *           "version": 1
                     *         },
                     *         "time": 1546717623000,
                     *         "outcome": "ok"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["TimedTransaction"][];
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
                    /** @description Query parameters that have no effect, separated by commas: unknown names, values that count as absent, `page` without `limit`, and unknown types in `txtype`, which find nothing. `*` stands for names in other characters and for more than 16. */
                    "x-ignored-parameters"?: string;
                    /** @description Height of the key block that the answer was made from. */
                    "x-chain-height"?: number;
                    /** @description Hash of that key block. */
                    "x-chain-hash"?: string;
                    /** @description Names these bytes: with `If-None-Match` they are sent only if they have changed. */
                    ETag?: string;
                    /** @description How long the answer may be kept. */
                    "Cache-Control"?: string;
                    /** @description Only while the database cannot be read: seconds since the answer was read from it. */
                    Age?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "count": 2
                     *     }
                     */
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
    getAccountLedger: {
        parameters: {
            query?: {
                from?: number;
                to?: number;
                from_time?: string;
                to_time?: string;
                kind?: string;
                limit?: number;
                cursor?: string;
                order?: "asc" | "desc";
                after?: string;
            };
            header?: never;
            path: {
                /** @description An account, or a contract or an oracle, which have an account each. */
                account: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What changed the balance of an account, newest first */
            200: {
                headers: {
                    /** @description Name of this request in the logs; the one of the request if it had one. */
                    "x-request-id"?: string;
                    /** @description Query parameters that have no effect, separated by commas: unknown names, values that count as absent, `page` without `limit`, and unknown types in `txtype`, which find nothing. `*` stands for names in other characters and for more than 16. */
                    "x-ignored-parameters"?: string;
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
                    /**
                     * @example {
                     *       "rows": [
                     *         {
                     *           "height": 1209,
                     *           "time": 1546717620000,
                     *           "block_hash": "mh_2ZkZMGL9RhzS1k4LkRLv5FDeV2WQzXxWdFh2AExAZm5zLsYMgi",
                     *           "transaction_hash": "th_fXvQWEWeUNU3dEMULUSqYETJ9BVkUJEJoMn5GnaHvfYFAVpWC",
                     *           "kind": "spend",
                     *           "amount": -20000,
                     *           "balance": 979000,
                     *           "counterparty": "ak_2i9GVHCZTWkRKoLqSwCUaZ7gbLXfVSgwfwTNUBCmMV1MVjRPPf",
                     *           "source": "chain"
                     *         }
                     *       ],
                     *       "complete": false,
                     *       "incomplete_since": 0,
                     *       "next": null
                     *     }
                     */
                    "application/json": {
                        rows: components["schemas"]["Movement"][];
                        /** @description Whether everything that changed the balance is known. */
                        complete: boolean;
                        /**
                         * Format: int64
                         * @description Only where it is not complete: from this height on changes may be missing, of any account.
                         */
                        incomplete_since?: number;
                        /** @description Path and query of the next page; null at the end. */
                        next: string | null;
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
    getAccountBalance: {
        parameters: {
            query?: {
                height?: number;
                time?: string;
                block?: string;
            };
            header?: never;
            path: {
                /** @description An account, or a contract or an oracle, which have an account each. */
                account: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The balance of an account at a height, a time or a block, or at the head */
            200: {
                headers: {
                    /** @description Name of this request in the logs; the one of the request if it had one. */
                    "x-request-id"?: string;
                    /** @description Query parameters that have no effect, separated by commas: unknown names, values that count as absent, `page` without `limit`, and unknown types in `txtype`, which find nothing. `*` stands for names in other characters and for more than 16. */
                    "x-ignored-parameters"?: string;
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
                    /**
                     * @example {
                     *       "account_id": "ak_2i9GVHCZTWkRKoLqSwCUaZ7gbLXfVSgwfwTNUBCmMV1MVjRPPf",
                     *       "height": 1209,
                     *       "block_hash": "mh_2ZkZMGL9RhzS1k4LkRLv5FDeV2WQzXxWdFh2AExAZm5zLsYMgi",
                     *       "balance": 979000,
                     *       "verified": false,
                     *       "complete": false,
                     *       "incomplete_since": 0
                     *     }
                     */
                    "application/json": components["schemas"]["Balance"];
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
    getAccountStatement: {
        parameters: {
            query?: {
                from?: number;
                to?: number;
                from_time?: string;
                to_time?: string;
            };
            header?: never;
            path: {
                /** @description An account, or a contract or an oracle, which have an account each. */
                account: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What changed the balance of an account in a period, by kind */
            200: {
                headers: {
                    /** @description Name of this request in the logs; the one of the request if it had one. */
                    "x-request-id"?: string;
                    /** @description Query parameters that have no effect, separated by commas: unknown names, values that count as absent, `page` without `limit`, and unknown types in `txtype`, which find nothing. `*` stands for names in other characters and for more than 16. */
                    "x-ignored-parameters"?: string;
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
                    /**
                     * @example {
                     *       "account_id": "ak_2i9GVHCZTWkRKoLqSwCUaZ7gbLXfVSgwfwTNUBCmMV1MVjRPPf",
                     *       "opening": {
                     *         "balance": 999000,
                     *         "after": {
                     *           "height": 1208,
                     *           "time": 1546717620000,
                     *           "block_hash": "mh_2ZkZMGL9RhzS1k4LkRLv5FDeV2WQzXxWdFh2AExAZm5zLsYMgi"
                     *         }
                     *       },
                     *       "closing": {
                     *         "balance": 979000,
                     *         "after": {
                     *           "height": 1209,
                     *           "time": 1546717620000,
                     *           "block_hash": "mh_2ZkZMGL9RhzS1k4LkRLv5FDeV2WQzXxWdFh2AExAZm5zLsYMgi"
                     *         }
                     *       },
                     *       "kinds": [
                     *         {
                     *           "kind": "spend",
                     *           "count": 1,
                     *           "in": 0,
                     *           "out": -20000
                     *         }
                     *       ],
                     *       "complete": false,
                     *       "incomplete_since": 0
                     *     }
                     */
                    "application/json": components["schemas"]["Statement"];
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
    getHolders: {
        parameters: {
            query?: {
                by?: "balance" | "account";
                limit?: number;
                cursor?: string;
                order?: "asc" | "desc";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All accounts that have coins, the richest first */
            200: {
                headers: {
                    /** @description Name of this request in the logs; the one of the request if it had one. */
                    "x-request-id"?: string;
                    /** @description Query parameters that have no effect, separated by commas: unknown names, values that count as absent, `page` without `limit`, and unknown types in `txtype`, which find nothing. `*` stands for names in other characters and for more than 16. */
                    "x-ignored-parameters"?: string;
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
                    /**
                     * @example {
                     *       "rows": [
                     *         {
                     *           "account_id": "ak_2i9GVHCZTWkRKoLqSwCUaZ7gbLXfVSgwfwTNUBCmMV1MVjRPPf",
                     *           "balance": 979000,
                     *           "verified": false
                     *         }
                     *       ],
                     *       "next": null
                     *     }
                     */
                    "application/json": {
                        rows: components["schemas"]["Holder"][];
                        /** @description Path and query of the next page; null at the end. */
                        next: string | null;
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
    getTxBetweenAddress: {
        parameters: {
            query?: {
                limit?: number;
                page?: number;
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
                    /** @description Query parameters that have no effect, separated by commas: unknown names, values that count as absent, `page` without `limit`, and unknown types in `txtype`, which find nothing. `*` stands for names in other characters and for more than 16. */
                    "x-ignored-parameters"?: string;
                    /** @description Height of the key block that the answer was made from. */
                    "x-chain-height"?: number;
                    /** @description Hash of that key block. */
                    "x-chain-hash"?: string;
                    /** @description Names these bytes: with `If-None-Match` they are sent only if they have changed. */
                    ETag?: string;
                    /** @description How long the answer may be kept. */
                    "Cache-Control"?: string;
                    /** @description Only while the database cannot be read: seconds since the answer was read from it. */
                    Age?: number;
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
                     *           },
                     *           "outcome": "ok"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ListedTransactions"];
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
                limit?: number;
                page?: number;
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
                    /** @description Query parameters that have no effect, separated by commas: unknown names, values that count as absent, `page` without `limit`, and unknown types in `txtype`, which find nothing. `*` stands for names in other characters and for more than 16. */
                    "x-ignored-parameters"?: string;
                    /** @description Height of the key block that the answer was made from. */
                    "x-chain-height"?: number;
                    /** @description Hash of that key block. */
                    "x-chain-hash"?: string;
                    /** @description Names these bytes: with `If-None-Match` they are sent only if they have changed. */
                    ETag?: string;
                    /** @description How long the answer may be kept. */
                    "Cache-Control"?: string;
                    /** @description Only while the database cannot be read: seconds since the answer was read from it. */
                    Age?: number;
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
                     *           },
                     *           "outcome": "ok"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ListedTransactions"];
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
                    /** @description Query parameters that have no effect, separated by commas: unknown names, values that count as absent, `page` without `limit`, and unknown types in `txtype`, which find nothing. `*` stands for names in other characters and for more than 16. */
                    "x-ignored-parameters"?: string;
                    /** @description Height of the key block that the answer was made from. */
                    "x-chain-height"?: number;
                    /** @description Hash of that key block. */
                    "x-chain-hash"?: string;
                    /** @description Names these bytes: with `If-None-Match` they are sent only if they have changed. */
                    ETag?: string;
                    /** @description How long the answer may be kept. */
                    "Cache-Control"?: string;
                    /** @description Only while the database cannot be read: seconds since the answer was read from it. */
                    Age?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "date": "2019-01-02",
                     *         "count": 1886,
                     *         "amount": "460565852664889999406222"
                     *       }
                     *     ]
                     */
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
                    /** @description Query parameters that have no effect, separated by commas: unknown names, values that count as absent, `page` without `limit`, and unknown types in `txtype`, which find nothing. `*` stands for names in other characters and for more than 16. */
                    "x-ignored-parameters"?: string;
                    /** @description Height of the key block that the answer was made from. */
                    "x-chain-height"?: number;
                    /** @description Hash of that key block. */
                    "x-chain-hash"?: string;
                    /** @description Names these bytes: with `If-None-Match` they are sent only if they have changed. */
                    ETag?: string;
                    /** @description How long the answer may be kept. */
                    "Cache-Control"?: string;
                    /** @description Only while the database cannot be read: seconds since the answer was read from it. */
                    Age?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "count": 2
                     *     }
                     */
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
                    /** @description Query parameters that have no effect, separated by commas: unknown names, values that count as absent, `page` without `limit`, and unknown types in `txtype`, which find nothing. `*` stands for names in other characters and for more than 16. */
                    "x-ignored-parameters"?: string;
                    /** @description Height of the key block that the answer was made from. */
                    "x-chain-height"?: number;
                    /** @description Hash of that key block. */
                    "x-chain-hash"?: string;
                    /** @description Names these bytes: with `If-None-Match` they are sent only if they have changed. */
                    ETag?: string;
                    /** @description How long the answer may be kept. */
                    "Cache-Control"?: string;
                    /** @description Only while the database cannot be read: seconds since the answer was read from it. */
                    Age?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "count": 2
                     *     }
                     */
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
                limit?: number;
                page?: number;
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
                    /** @description Query parameters that have no effect, separated by commas: unknown names, values that count as absent, `page` without `limit`, and unknown types in `txtype`, which find nothing. `*` stands for names in other characters and for more than 16. */
                    "x-ignored-parameters"?: string;
                    /** @description Height of the key block that the answer was made from. */
                    "x-chain-height"?: number;
                    /** @description Hash of that key block. */
                    "x-chain-hash"?: string;
                    /** @description Names these bytes: with `If-None-Match` they are sent only if they have changed. */
                    ETag?: string;
                    /** @description How long the answer may be kept. */
                    "Cache-Control"?: string;
                    /** @description Only while the database cannot be read: seconds since the answer was read from it. */
                    Age?: number;
                    /** @description `true` where the answer holds less than was asked for. */
                    "x-limit-capped"?: string;
                    /** @description Of generations, the rule by which the oldest are missing: `generations` (LIMIT_CAP) or `transactions` (20 times as many). */
                    "x-limit-capped-by"?: string;
                    /** @description Length of the whole list, where it is known. */
                    "x-total-count"?: number;
                    [name: string]: unknown;
                };
                content: {
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
                limit?: number;
                page?: number;
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
                    /** @description Query parameters that have no effect, separated by commas: unknown names, values that count as absent, `page` without `limit`, and unknown types in `txtype`, which find nothing. `*` stands for names in other characters and for more than 16. */
                    "x-ignored-parameters"?: string;
                    /** @description Height of the key block that the answer was made from. */
                    "x-chain-height"?: number;
                    /** @description Hash of that key block. */
                    "x-chain-hash"?: string;
                    /** @description Names these bytes: with `If-None-Match` they are sent only if they have changed. */
                    ETag?: string;
                    /** @description How long the answer may be kept. */
                    "Cache-Control"?: string;
                    /** @description Only while the database cannot be read: seconds since the answer was read from it. */
                    Age?: number;
                    /** @description `true` where the answer holds less than was asked for. */
                    "x-limit-capped"?: string;
                    /** @description Of generations, the rule by which the oldest are missing: `generations` (LIMIT_CAP) or `transactions` (20 times as many). */
                    "x-limit-capped-by"?: string;
                    /** @description Length of the whole list, where it is known. */
                    "x-total-count"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "key_block": {
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
                     *           "pow": "[9195324, 21365415, 33535506, 45705597, 57875688, 70045779, 82215870, 94385961, 106556052, 118726143, 130896234, 143066325, 155236416, 167406507, 179576598, 191746689, 203916780, 216086871, 228256962, 240427053, 252597144, 264767235, 276937326, 289107417, 301277508, 313447599, 325617690, 337787781, 349957872, 362127963, 374298054, 386468145, 398638236, 410808327, 422978418, 435148509, 447318600, 459488691, 471658782, 483828873, 495998964, 508169055]"
                     *         },
                     *         "micro_blocks": []
                     *       }
                     *     ]
                     */
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
                    /** @description Query parameters that have no effect, separated by commas: unknown names, values that count as absent, `page` without `limit`, and unknown types in `txtype`, which find nothing. `*` stands for names in other characters and for more than 16. */
                    "x-ignored-parameters"?: string;
                    /** @description Height of the key block that the answer was made from. */
                    "x-chain-height"?: number;
                    /** @description Hash of that key block. */
                    "x-chain-hash"?: string;
                    /** @description Names these bytes: with `If-None-Match` they are sent only if they have changed. */
                    ETag?: string;
                    /** @description How long the answer may be kept. */
                    "Cache-Control"?: string;
                    /** @description Only while the database cannot be read: seconds since the answer was read from it. */
                    Age?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "height": 1209
                     *     }
                     */
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
                    /** @description Query parameters that have no effect, separated by commas: unknown names, values that count as absent, `page` without `limit`, and unknown types in `txtype`, which find nothing. `*` stands for names in other characters and for more than 16. */
                    "x-ignored-parameters"?: string;
                    /** @description Height of the key block that the answer was made from. */
                    "x-chain-height"?: number;
                    /** @description Hash of that key block. */
                    "x-chain-hash"?: string;
                    /** @description Names these bytes: with `If-None-Match` they are sent only if they have changed. */
                    ETag?: string;
                    /** @description How long the answer may be kept. */
                    "Cache-Control"?: string;
                    /** @description Only while the database cannot be read: seconds since the answer was read from it. */
                    Age?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "height": 1209,
                     *       "coinbase": "473000000000000000000",
                     *       "beneficiary": "ak_6DifmF7SxmjUxeHoWVgZ1YMHnGDBPWAZesCPSgP4kLnwPf1be",
                     *       "fees": "197648000000001",
                     *       "total": "473000197648000000001"
                     *     }
                     */
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
    getFiguresByTime: {
        parameters: {
            query?: {
                by?: "hour" | "day" | "week" | "month";
            };
            header?: never;
            path: {
                /** @description The first day, UTC, as YYYYMMDD. */
                from: string;
                /** @description The last day, UTC, as YYYYMMDD, itself included. */
                to: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the chain did, in steps of time */
            200: {
                headers: {
                    /** @description Name of this request in the logs; the one of the request if it had one. */
                    "x-request-id"?: string;
                    /** @description Query parameters that have no effect, separated by commas: unknown names, values that count as absent, `page` without `limit`, and unknown types in `txtype`, which find nothing. `*` stands for names in other characters and for more than 16. */
                    "x-ignored-parameters"?: string;
                    /** @description Height of the key block that the answer was made from. */
                    "x-chain-height"?: number;
                    /** @description Hash of that key block. */
                    "x-chain-hash"?: string;
                    /** @description Names these bytes: with `If-None-Match` they are sent only if they have changed. */
                    ETag?: string;
                    /** @description How long the answer may be kept. */
                    "Cache-Control"?: string;
                    /** @description Only while the database cannot be read: seconds since the answer was read from it. */
                    Age?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "start": 1546387200000,
                     *         "height": 15897,
                     *         "key_blocks": 477,
                     *         "transactions": 2410,
                     *         "types": {
                     *           "NameClaimTx": 12,
                     *           "SpendTx": 2398
                     *         },
                     *         "fees": "48200000000000000",
                     *         "size": 612140,
                     *         "coinbase": "136182000000000000000000",
                     *         "total": {
                     *           "transactions": 98011,
                     *           "size": 24901800,
                     *           "coinbase": "3404829000000000000000000"
                     *         }
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["TimeFigures"][];
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
    getFiguresOfGenerations: {
        parameters: {
            query?: never;
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
            /** @description What the generations between two heights contain, in numbers */
            200: {
                headers: {
                    /** @description Name of this request in the logs; the one of the request if it had one. */
                    "x-request-id"?: string;
                    /** @description Query parameters that have no effect, separated by commas: unknown names, values that count as absent, `page` without `limit`, and unknown types in `txtype`, which find nothing. `*` stands for names in other characters and for more than 16. */
                    "x-ignored-parameters"?: string;
                    /** @description Height of the key block that the answer was made from. */
                    "x-chain-height"?: number;
                    /** @description Hash of that key block. */
                    "x-chain-hash"?: string;
                    /** @description Names these bytes: with `If-None-Match` they are sent only if they have changed. */
                    ETag?: string;
                    /** @description How long the answer may be kept. */
                    "Cache-Control"?: string;
                    /** @description Only while the database cannot be read: seconds since the answer was read from it. */
                    Age?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "height": 15897,
                     *         "hash": "kh_CW3fZJr7aUzdNo3kdXeSC2hHMzv2ho3cQZCWsAsnA3TqGLPWn",
                     *         "time": 1546473480000,
                     *         "beneficiary": "ak_2i9GVHCZTWkRKoLqSwCUaZ7gbLXfVSgwfwTNUBCmMV1MVjRPPf",
                     *         "transactions": 2,
                     *         "fees": "40000000000000",
                     *         "size": 508,
                     *         "micro_blocks": [
                     *           {
                     *             "hash": "mh_2c4ZpMSLzKQYSzXSbVyE4TL3QFsDXYuGCi5i7sg6pzVyVBuqNF",
                     *             "time": 1546473483000,
                     *             "transactions": 2,
                     *             "fees": "40000000000000",
                     *             "types": {
                     *               "SpendTx": 2
                     *             }
                     *           }
                     *         ]
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["GenerationFigures"][];
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
                    /** @description Query parameters that have no effect, separated by commas: unknown names, values that count as absent, `page` without `limit`, and unknown types in `txtype`, which find nothing. `*` stands for names in other characters and for more than 16. */
                    "x-ignored-parameters"?: string;
                    /** @description Height of the key block that the answer was made from. */
                    "x-chain-height"?: number;
                    /** @description Hash of that key block. */
                    "x-chain-hash"?: string;
                    /** @description Names these bytes: with `If-None-Match` they are sent only if they have changed. */
                    ETag?: string;
                    /** @description How long the answer may be kept. */
                    "Cache-Control"?: string;
                    /** @description Only while the database cannot be read: seconds since the answer was read from it. */
                    Age?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "size": 499426140
                     *     }
                     */
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
                    /** @description Query parameters that have no effect, separated by commas: unknown names, values that count as absent, `page` without `limit`, and unknown types in `txtype`, which find nothing. `*` stands for names in other characters and for more than 16. */
                    "x-ignored-parameters"?: string;
                    /** @description Height of the key block that the answer was made from. */
                    "x-chain-height"?: number;
                    /** @description Hash of that key block. */
                    "x-chain-hash"?: string;
                    /** @description Names these bytes: with `If-None-Match` they are sent only if they have changed. */
                    ETag?: string;
                    /** @description How long the answer may be kept. */
                    "Cache-Control"?: string;
                    /** @description Only while the database cannot be read: seconds since the answer was read from it. */
                    Age?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "size": 499426140
                     *     }
                     */
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
                limit?: number;
                page?: number;
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
                    /** @description Query parameters that have no effect, separated by commas: unknown names, values that count as absent, `page` without `limit`, and unknown types in `txtype`, which find nothing. `*` stands for names in other characters and for more than 16. */
                    "x-ignored-parameters"?: string;
                    /** @description Height of the key block that the answer was made from. */
                    "x-chain-height"?: number;
                    /** @description Hash of that key block. */
                    "x-chain-hash"?: string;
                    /** @description Names these bytes: with `If-None-Match` they are sent only if they have changed. */
                    ETag?: string;
                    /** @description How long the answer may be kept. */
                    "Cache-Control"?: string;
                    /** @description Only while the database cannot be read: seconds since the answer was read from it. */
                    Age?: number;
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
                    /**
                     * @example [
                     *       {
                     *         "name": "example21.test",
                     *         "name_hash": "nm_2chXaJo3aap8pPQ92DpgJVjWnmqjRdW7zj7UmVq6pTsEbQSVb1",
                     *         "tx_hash": "th_cXuUkKNrtXdc73cPRnSA6xnEMBispJ39toz8L3wzDReorYEdJ",
                     *         "created_at_height": 1102,
                     *         "auction_end_height": 1102,
                     *         "owner": "ak_2i9GVHCZTWkRKoLqSwCUaZ7gbLXfVSgwfwTNUBCmMV1MVjRPPf",
                     *         "expires_at": 51103,
                     *         "pointers": [
                     *           {
                     *             "key": "account_pubkey",
                     *             "id": "ak_2i9GVHCZTWkRKoLqSwCUaZ7gbLXfVSgwfwTNUBCmMV1MVjRPPf"
                     *           }
                     *         ]
                     *       }
                     *     ]
                     */
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
    getActiveNames: {
        parameters: {
            query?: {
                limit?: number;
                page?: number;
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
                    /** @description Query parameters that have no effect, separated by commas: unknown names, values that count as absent, `page` without `limit`, and unknown types in `txtype`, which find nothing. `*` stands for names in other characters and for more than 16. */
                    "x-ignored-parameters"?: string;
                    /** @description Height of the key block that the answer was made from. */
                    "x-chain-height"?: number;
                    /** @description Hash of that key block. */
                    "x-chain-hash"?: string;
                    /** @description Names these bytes: with `If-None-Match` they are sent only if they have changed. */
                    ETag?: string;
                    /** @description How long the answer may be kept. */
                    "Cache-Control"?: string;
                    /** @description Only while the database cannot be read: seconds since the answer was read from it. */
                    Age?: number;
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
                    /**
                     * @example [
                     *       {
                     *         "name": "example21.test",
                     *         "name_hash": "nm_2chXaJo3aap8pPQ92DpgJVjWnmqjRdW7zj7UmVq6pTsEbQSVb1",
                     *         "tx_hash": "th_cXuUkKNrtXdc73cPRnSA6xnEMBispJ39toz8L3wzDReorYEdJ",
                     *         "created_at_height": 1102,
                     *         "auction_end_height": 1102,
                     *         "owner": "ak_2i9GVHCZTWkRKoLqSwCUaZ7gbLXfVSgwfwTNUBCmMV1MVjRPPf",
                     *         "expires_at": 51103,
                     *         "pointers": [
                     *           {
                     *             "key": "account_pubkey",
                     *             "id": "ak_2i9GVHCZTWkRKoLqSwCUaZ7gbLXfVSgwfwTNUBCmMV1MVjRPPf"
                     *           }
                     *         ]
                     *       }
                     *     ]
                     */
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
    searchName: {
        parameters: {
            query?: {
                limit?: number;
                page?: number;
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description A name or a part of it, in small or large letters. `active`, `reverse`, `hash` and `auctions` lead elsewhere. */
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
                    /** @description Query parameters that have no effect, separated by commas: unknown names, values that count as absent, `page` without `limit`, and unknown types in `txtype`, which find nothing. `*` stands for names in other characters and for more than 16. */
                    "x-ignored-parameters"?: string;
                    /** @description Height of the key block that the answer was made from. */
                    "x-chain-height"?: number;
                    /** @description Hash of that key block. */
                    "x-chain-hash"?: string;
                    /** @description Names these bytes: with `If-None-Match` they are sent only if they have changed. */
                    ETag?: string;
                    /** @description How long the answer may be kept. */
                    "Cache-Control"?: string;
                    /** @description Only while the database cannot be read: seconds since the answer was read from it. */
                    Age?: number;
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
                    /**
                     * @example [
                     *       {
                     *         "name": "example21.test",
                     *         "name_hash": "nm_2chXaJo3aap8pPQ92DpgJVjWnmqjRdW7zj7UmVq6pTsEbQSVb1",
                     *         "tx_hash": "th_cXuUkKNrtXdc73cPRnSA6xnEMBispJ39toz8L3wzDReorYEdJ",
                     *         "created_at_height": 1102,
                     *         "auction_end_height": 1102,
                     *         "owner": "ak_2i9GVHCZTWkRKoLqSwCUaZ7gbLXfVSgwfwTNUBCmMV1MVjRPPf",
                     *         "expires_at": 51103,
                     *         "pointers": [
                     *           {
                     *             "key": "account_pubkey",
                     *             "id": "ak_2i9GVHCZTWkRKoLqSwCUaZ7gbLXfVSgwfwTNUBCmMV1MVjRPPf"
                     *           }
                     *         ]
                     *       }
                     *     ]
                     */
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
                limit?: number;
                page?: number;
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
                    /** @description Query parameters that have no effect, separated by commas: unknown names, values that count as absent, `page` without `limit`, and unknown types in `txtype`, which find nothing. `*` stands for names in other characters and for more than 16. */
                    "x-ignored-parameters"?: string;
                    /** @description Height of the key block that the answer was made from. */
                    "x-chain-height"?: number;
                    /** @description Hash of that key block. */
                    "x-chain-hash"?: string;
                    /** @description Names these bytes: with `If-None-Match` they are sent only if they have changed. */
                    ETag?: string;
                    /** @description How long the answer may be kept. */
                    "Cache-Control"?: string;
                    /** @description Only while the database cannot be read: seconds since the answer was read from it. */
                    Age?: number;
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
                    /**
                     * @example [
                     *       {
                     *         "name": "example21.test",
                     *         "name_hash": "nm_2chXaJo3aap8pPQ92DpgJVjWnmqjRdW7zj7UmVq6pTsEbQSVb1",
                     *         "tx_hash": "th_cXuUkKNrtXdc73cPRnSA6xnEMBispJ39toz8L3wzDReorYEdJ",
                     *         "created_at_height": 1102,
                     *         "auction_end_height": 1102,
                     *         "owner": "ak_2i9GVHCZTWkRKoLqSwCUaZ7gbLXfVSgwfwTNUBCmMV1MVjRPPf",
                     *         "expires_at": 51103,
                     *         "pointers": [
                     *           {
                     *             "key": "account_pubkey",
                     *             "id": "ak_2i9GVHCZTWkRKoLqSwCUaZ7gbLXfVSgwfwTNUBCmMV1MVjRPPf"
                     *           }
                     *         ]
                     *       }
                     *     ]
                     */
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
    getNamesOfAccounts: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Up to 100 accounts, or other objects that names point to, separated by commas. An identifier: prefix, base58 and checksum. One of another kind than expected finds nothing. */
                accounts: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One name for each of many accounts */
            200: {
                headers: {
                    /** @description Name of this request in the logs; the one of the request if it had one. */
                    "x-request-id"?: string;
                    /** @description Query parameters that have no effect, separated by commas: unknown names, values that count as absent, `page` without `limit`, and unknown types in `txtype`, which find nothing. `*` stands for names in other characters and for more than 16. */
                    "x-ignored-parameters"?: string;
                    /** @description Height of the key block that the answer was made from. */
                    "x-chain-height"?: number;
                    /** @description Hash of that key block. */
                    "x-chain-hash"?: string;
                    /** @description Names these bytes: with `If-None-Match` they are sent only if they have changed. */
                    ETag?: string;
                    /** @description How long the answer may be kept. */
                    "Cache-Control"?: string;
                    /** @description Only while the database cannot be read: seconds since the answer was read from it. */
                    Age?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "account": "ak_2i9GVHCZTWkRKoLqSwCUaZ7gbLXfVSgwfwTNUBCmMV1MVjRPPf",
                     *         "name": "example21.test"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["NamedAccount"][];
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
                    /** @description Query parameters that have no effect, separated by commas: unknown names, values that count as absent, `page` without `limit`, and unknown types in `txtype`, which find nothing. `*` stands for names in other characters and for more than 16. */
                    "x-ignored-parameters"?: string;
                    /** @description Height of the key block that the answer was made from. */
                    "x-chain-height"?: number;
                    /** @description Hash of that key block. */
                    "x-chain-hash"?: string;
                    /** @description Names these bytes: with `If-None-Match` they are sent only if they have changed. */
                    ETag?: string;
                    /** @description How long the answer may be kept. */
                    "Cache-Control"?: string;
                    /** @description Only while the database cannot be read: seconds since the answer was read from it. */
                    Age?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "name": {
                     *         "name": "example21.test",
                     *         "name_hash": "nm_2chXaJo3aap8pPQ92DpgJVjWnmqjRdW7zj7UmVq6pTsEbQSVb1",
                     *         "tx_hash": "th_cXuUkKNrtXdc73cPRnSA6xnEMBispJ39toz8L3wzDReorYEdJ",
                     *         "created_at_height": 1102,
                     *         "auction_end_height": 1102,
                     *         "owner": "ak_2i9GVHCZTWkRKoLqSwCUaZ7gbLXfVSgwfwTNUBCmMV1MVjRPPf",
                     *         "expires_at": 51103,
                     *         "pointers": [
                     *           {
                     *             "key": "account_pubkey",
                     *             "id": "ak_2i9GVHCZTWkRKoLqSwCUaZ7gbLXfVSgwfwTNUBCmMV1MVjRPPf"
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
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
    getTxByName: {
        parameters: {
            query?: {
                limit?: number;
                page?: number;
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description The hash of a name. An identifier: prefix, base58 and checksum. One of another kind than expected finds nothing. */
                hash: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Claims, bids, updates, transfers and the revocation of a name, newest first */
            200: {
                headers: {
                    /** @description Name of this request in the logs; the one of the request if it had one. */
                    "x-request-id"?: string;
                    /** @description Query parameters that have no effect, separated by commas: unknown names, values that count as absent, `page` without `limit`, and unknown types in `txtype`, which find nothing. `*` stands for names in other characters and for more than 16. */
                    "x-ignored-parameters"?: string;
                    /** @description Height of the key block that the answer was made from. */
                    "x-chain-height"?: number;
                    /** @description Hash of that key block. */
                    "x-chain-hash"?: string;
                    /** @description Names these bytes: with `If-None-Match` they are sent only if they have changed. */
                    ETag?: string;
                    /** @description How long the answer may be kept. */
                    "Cache-Control"?: string;
                    /** @description Only while the database cannot be read: seconds since the answer was read from it. */
                    Age?: number;
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
                    /**
                     * @example [
                     *       {
                     *         "block_hash": "mh_SVPezZ4rsoGfX9kEmmqESYZTQs6RSRem73GW5QwhwrRZeVDW1",
                     *         "block_height": 1209,
                     *         "hash": "th_SZufyzxPitBWd9GcwUX6Wsam4yFJFF8qgD3sXytBYAPRScyfj",
                     *         "signatures": [
                     *           "sg_VWKZDvWtYpMtDR73XEa4dYDYNBAXCQYywCCi82Qg179adHLXZ5Ff7pDXW8uMsLvPpgeP6gh5fMkzYNpNKxJHF7HVNbBGF"
                     *         ],
                     *         "tx": {
                     *           "amount": 20000000000000000,
                     *           "fee": 16840000000000,
                     *           "nonce": 130,
                     *           "payload": "ba_Xfbg4g==",
                     *           "recipient_id": "ak_22do7DzdcNknYKyFzKssjDicnH68nNYPUucozdA51o8rAtgX8y",
                     *           "sender_id": "ak_2i9GVHCZTWkRKoLqSwCUaZ7gbLXfVSgwfwTNUBCmMV1MVjRPPf",
                     *           "ttl": 1300,
                     *           "type": "SpendTx",
                     *           "version": 1
                     *         },
                     *         "time": 1546717623000,
                     *         "outcome": "ok"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["TimedTransaction"][];
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
    getActiveNameAuctions: {
        parameters: {
            query?: {
                limit?: number;
                page?: number;
                sort?: string;
                reverse?: string;
                length?: number;
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
                    /** @description Query parameters that have no effect, separated by commas: unknown names, values that count as absent, `page` without `limit`, and unknown types in `txtype`, which find nothing. `*` stands for names in other characters and for more than 16. */
                    "x-ignored-parameters"?: string;
                    /** @description Height of the key block that the answer was made from. */
                    "x-chain-height"?: number;
                    /** @description Hash of that key block. */
                    "x-chain-hash"?: string;
                    /** @description Names these bytes: with `If-None-Match` they are sent only if they have changed. */
                    ETag?: string;
                    /** @description How long the answer may be kept. */
                    "Cache-Control"?: string;
                    /** @description Only while the database cannot be read: seconds since the answer was read from it. */
                    Age?: number;
                    /** @description `true` where the answer holds less than was asked for. */
                    "x-limit-capped"?: string;
                    /** @description Of generations, the rule by which the oldest are missing: `generations` (LIMIT_CAP) or `transactions` (20 times as many). */
                    "x-limit-capped-by"?: string;
                    /** @description Length of the whole list, where it is known. */
                    "x-total-count"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "name": "myname.chain",
                     *         "expiration": 176080,
                     *         "winning_bid": "53994045000000000000",
                     *         "winning_bidder": "ak_2i9GVHCZTWkRKoLqSwCUaZ7gbLXfVSgwfwTNUBCmMV1MVjRPPf"
                     *       }
                     *     ]
                     */
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
                length?: number;
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
                    /** @description Query parameters that have no effect, separated by commas: unknown names, values that count as absent, `page` without `limit`, and unknown types in `txtype`, which find nothing. `*` stands for names in other characters and for more than 16. */
                    "x-ignored-parameters"?: string;
                    /** @description Height of the key block that the answer was made from. */
                    "x-chain-height"?: number;
                    /** @description Hash of that key block. */
                    "x-chain-hash"?: string;
                    /** @description Names these bytes: with `If-None-Match` they are sent only if they have changed. */
                    ETag?: string;
                    /** @description How long the answer may be kept. */
                    "Cache-Control"?: string;
                    /** @description Only while the database cannot be read: seconds since the answer was read from it. */
                    Age?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "count": 2,
                     *       "result": "OK"
                     *     }
                     */
                    "application/json": {
                        /** Format: int64 */
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
                /** @description A name in any spelling. */
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
                    /** @description Query parameters that have no effect, separated by commas: unknown names, values that count as absent, `page` without `limit`, and unknown types in `txtype`, which find nothing. `*` stands for names in other characters and for more than 16. */
                    "x-ignored-parameters"?: string;
                    /** @description Height of the key block that the answer was made from. */
                    "x-chain-height"?: number;
                    /** @description Hash of that key block. */
                    "x-chain-hash"?: string;
                    /** @description Names these bytes: with `If-None-Match` they are sent only if they have changed. */
                    ETag?: string;
                    /** @description How long the answer may be kept. */
                    "Cache-Control"?: string;
                    /** @description Only while the database cannot be read: seconds since the answer was read from it. */
                    Age?: number;
                    /** @description `true` where the answer holds less than was asked for. */
                    "x-limit-capped"?: string;
                    /** @description Of generations, the rule by which the oldest are missing: `generations` (LIMIT_CAP) or `transactions` (20 times as many). */
                    "x-limit-capped-by"?: string;
                    /** @description Length of the whole list, where it is known. */
                    "x-total-count"?: number;
                    [name: string]: unknown;
                };
                content: {
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
                limit?: number;
                page?: number;
            };
            header?: never;
            path: {
                /** @description A name in any spelling. */
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
                    /** @description Query parameters that have no effect, separated by commas: unknown names, values that count as absent, `page` without `limit`, and unknown types in `txtype`, which find nothing. `*` stands for names in other characters and for more than 16. */
                    "x-ignored-parameters"?: string;
                    /** @description Height of the key block that the answer was made from. */
                    "x-chain-height"?: number;
                    /** @description Hash of that key block. */
                    "x-chain-hash"?: string;
                    /** @description Names these bytes: with `If-None-Match` they are sent only if they have changed. */
                    ETag?: string;
                    /** @description How long the answer may be kept. */
                    "Cache-Control"?: string;
                    /** @description Only while the database cannot be read: seconds since the answer was read from it. */
                    Age?: number;
                    /** @description `true` where the answer holds less than was asked for. */
                    "x-limit-capped"?: string;
                    /** @description Of generations, the rule by which the oldest are missing: `generations` (LIMIT_CAP) or `transactions` (20 times as many). */
                    "x-limit-capped-by"?: string;
                    /** @description Length of the whole list, where it is known. */
                    "x-total-count"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "block_height": 161200,
                     *         "block_hash": "mh_2fEGCiiQKf1U7pZwcPEqrpm5Ss5yzvXBouVGLZbQu7X8AtSvDh",
                     *         "hash": "th_JZZRNL3HmciNJtVZyqQnRPavBM78wbL7RCMN9iAbNzoink32a",
                     *         "signatures": "sg_EJMAxruTY7d8yeUTykAgkQ9dtJ8nBgva9bcPxhY2anTqTjGPNBEth6Z9BfJhfcKSvYuPTyVrCdwpxVKmPgaafkirxYgQn",
                     *         "tx_type": "NameClaimTx",
                     *         "tx": {
                     *           "account_id": "ak_2i9GVHCZTWkRKoLqSwCUaZ7gbLXfVSgwfwTNUBCmMV1MVjRPPf",
                     *           "fee": 16660000000000,
                     *           "name": "myname.chain",
                     *           "name_fee": 53994045000000,
                     *           "name_salt": 0,
                     *           "nonce": 140,
                     *           "ttl": 161600,
                     *           "type": "NameClaimTx",
                     *           "version": 2
                     *         },
                     *         "fee": "16660000000000",
                     *         "size": 217
                     *       }
                     *     ]
                     */
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
                limit?: number;
                page?: number;
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
                    /** @description Query parameters that have no effect, separated by commas: unknown names, values that count as absent, `page` without `limit`, and unknown types in `txtype`, which find nothing. `*` stands for names in other characters and for more than 16. */
                    "x-ignored-parameters"?: string;
                    /** @description Height of the key block that the answer was made from. */
                    "x-chain-height"?: number;
                    /** @description Hash of that key block. */
                    "x-chain-hash"?: string;
                    /** @description Names these bytes: with `If-None-Match` they are sent only if they have changed. */
                    ETag?: string;
                    /** @description How long the answer may be kept. */
                    "Cache-Control"?: string;
                    /** @description Only while the database cannot be read: seconds since the answer was read from it. */
                    Age?: number;
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
                    /**
                     * @example [
                     *       {
                     *         "name_auction_entry": {
                     *           "name": "myname.chain",
                     *           "expiration": 176080,
                     *           "winning_bid": "53994045000000000000",
                     *           "winning_bidder": "ak_2i9GVHCZTWkRKoLqSwCUaZ7gbLXfVSgwfwTNUBCmMV1MVjRPPf"
                     *         },
                     *         "transaction": {
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
                     *       }
                     *     ]
                     */
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
                limit?: number;
                page?: number;
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
                    /** @description Query parameters that have no effect, separated by commas: unknown names, values that count as absent, `page` without `limit`, and unknown types in `txtype`, which find nothing. `*` stands for names in other characters and for more than 16. */
                    "x-ignored-parameters"?: string;
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
                    /**
                     * @example [
                     *       {
                     *         "contract_id": "ct_Y5xhBfYMNbx1335iRn5eUhBt4tGw8EQDdnUKpKgw5g8GaqD3a",
                     *         "transaction_hash": "th_FY3hXhMK1B6ubbNu8Wv6N4xp2WQ9SFyFVV6DxnCJesu6ns1x4",
                     *         "block_height": 1150
                     *       }
                     *     ]
                     */
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
                limit?: number;
                page?: number;
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
                    /** @description Query parameters that have no effect, separated by commas: unknown names, values that count as absent, `page` without `limit`, and unknown types in `txtype`, which find nothing. `*` stands for names in other characters and for more than 16. */
                    "x-ignored-parameters"?: string;
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
                    /**
                     * @example [
                     *       {
                     *         "transaction_id": "th_fXvQWEWeUNU3dEMULUSqYETJ9BVkUJEJoMn5GnaHvfYFAVpWC",
                     *         "contract_id": "ct_Y5xhBfYMNbx1335iRn5eUhBt4tGw8EQDdnUKpKgw5g8GaqD3a",
                     *         "caller_id": "ak_2i9GVHCZTWkRKoLqSwCUaZ7gbLXfVSgwfwTNUBCmMV1MVjRPPf",
                     *         "arguments": {
                     *           "function": "createProof",
                     *           "arguments": [
                     *             {
                     *               "type": "string",
                     *               "value": "testtest"
                     *             }
                     *           ]
                     *         },
                     *         "callinfo": {
                     *           "caller_id": "ak_2i9GVHCZTWkRKoLqSwCUaZ7gbLXfVSgwfwTNUBCmMV1MVjRPPf",
                     *           "caller_nonce": 131,
                     *           "contract_id": "ct_Y5xhBfYMNbx1335iRn5eUhBt4tGw8EQDdnUKpKgw5g8GaqD3a",
                     *           "gas_price": 1000000000,
                     *           "gas_used": 22150,
                     *           "height": 1209,
                     *           "log": [],
                     *           "return_type": "ok",
                     *           "return_value": "cb_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAACr8s/aY"
                     *         },
                     *         "result": null
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["ContractCall"][];
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
    getContractCallOfTx: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The hash of a transaction. An identifier: prefix, base58 and checksum. One of another kind than expected finds nothing. */
                hash: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The decoded call of a transaction */
            200: {
                headers: {
                    /** @description Name of this request in the logs; the one of the request if it had one. */
                    "x-request-id"?: string;
                    /** @description Query parameters that have no effect, separated by commas: unknown names, values that count as absent, `page` without `limit`, and unknown types in `txtype`, which find nothing. `*` stands for names in other characters and for more than 16. */
                    "x-ignored-parameters"?: string;
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
                    /**
                     * @example {
                     *       "transaction_id": "th_fXvQWEWeUNU3dEMULUSqYETJ9BVkUJEJoMn5GnaHvfYFAVpWC",
                     *       "contract_id": "ct_Y5xhBfYMNbx1335iRn5eUhBt4tGw8EQDdnUKpKgw5g8GaqD3a",
                     *       "caller_id": "ak_2i9GVHCZTWkRKoLqSwCUaZ7gbLXfVSgwfwTNUBCmMV1MVjRPPf",
                     *       "arguments": {
                     *         "function": "createProof",
                     *         "arguments": [
                     *           {
                     *             "type": "string",
                     *             "value": "testtest"
                     *           }
                     *         ]
                     *       },
                     *       "callinfo": {
                     *         "caller_id": "ak_2i9GVHCZTWkRKoLqSwCUaZ7gbLXfVSgwfwTNUBCmMV1MVjRPPf",
                     *         "caller_nonce": 131,
                     *         "contract_id": "ct_Y5xhBfYMNbx1335iRn5eUhBt4tGw8EQDdnUKpKgw5g8GaqD3a",
                     *         "gas_price": 1000000000,
                     *         "gas_used": 22150,
                     *         "height": 1209,
                     *         "log": [],
                     *         "return_type": "ok",
                     *         "return_value": "cb_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAACr8s/aY"
                     *       },
                     *       "result": null
                     *     }
                     */
                    "application/json": components["schemas"]["ContractCall"];
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
    getContractLogs: {
        parameters: {
            query?: {
                contract?: string;
                called?: string;
                event?: string;
                topic1?: string;
                topic2?: string;
                topic3?: string;
                from?: number;
                to?: number;
                limit?: number;
                cursor?: string;
                order?: "newest" | "oldest";
                after?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Logs of contracts, newest first */
            200: {
                headers: {
                    /** @description Name of this request in the logs; the one of the request if it had one. */
                    "x-request-id"?: string;
                    /** @description Query parameters that have no effect, separated by commas: unknown names, values that count as absent, `page` without `limit`, and unknown types in `txtype`, which find nothing. `*` stands for names in other characters and for more than 16. */
                    "x-ignored-parameters"?: string;
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
                    /**
                     * @example {
                     *       "complete": true,
                     *       "logs": [
                     *         {
                     *           "transaction_hash": "th_fXvQWEWeUNU3dEMULUSqYETJ9BVkUJEJoMn5GnaHvfYFAVpWC",
                     *           "block_hash": "mh_2ZkZMGL9RhzS1k4LkRLv5FDeV2WQzXxWdFh2AExAZm5zLsYMgi",
                     *           "block_height": 1209,
                     *           "time": 1546717620000,
                     *           "log_index": 0,
                     *           "contract_id": "ct_Y5xhBfYMNbx1335iRn5eUhBt4tGw8EQDdnUKpKgw5g8GaqD3a",
                     *           "called_id": "ct_Y5xhBfYMNbx1335iRn5eUhBt4tGw8EQDdnUKpKgw5g8GaqD3a",
                     *           "event": "Transfer",
                     *           "topics": [
                     *             7,
                     *             1,
                     *             2,
                     *             3
                     *           ],
                     *           "data": "cb_Xfbg4g=="
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @description Whether the call information of all transactions of these heights is known. */
                        complete: boolean;
                        logs: components["schemas"]["ContractLog"][];
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
    getContractTx: {
        parameters: {
            query?: {
                limit?: number;
                page?: number;
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
                    /** @description Query parameters that have no effect, separated by commas: unknown names, values that count as absent, `page` without `limit`, and unknown types in `txtype`, which find nothing. `*` stands for names in other characters and for more than 16. */
                    "x-ignored-parameters"?: string;
                    /** @description Height of the key block that the answer was made from. */
                    "x-chain-height"?: number;
                    /** @description Hash of that key block. */
                    "x-chain-hash"?: string;
                    /** @description Names these bytes: with `If-None-Match` they are sent only if they have changed. */
                    ETag?: string;
                    /** @description How long the answer may be kept. */
                    "Cache-Control"?: string;
                    /** @description Only while the database cannot be read: seconds since the answer was read from it. */
                    Age?: number;
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
                     *           },
                     *           "outcome": "ok"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ListedTransactions"];
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
                    /** @description Query parameters that have no effect, separated by commas: unknown names, values that count as absent, `page` without `limit`, and unknown types in `txtype`, which find nothing. `*` stands for names in other characters and for more than 16. */
                    "x-ignored-parameters"?: string;
                    /** @description Height of the key block that the answer was made from. */
                    "x-chain-height"?: number;
                    /** @description Hash of that key block. */
                    "x-chain-hash"?: string;
                    /** @description Names these bytes: with `If-None-Match` they are sent only if they have changed. */
                    ETag?: string;
                    /** @description How long the answer may be kept. */
                    "Cache-Control"?: string;
                    /** @description Only while the database cannot be read: seconds since the answer was read from it. */
                    Age?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
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
    getTokens: {
        parameters: {
            query?: {
                by?: "name" | "symbol" | "creation";
                prefix?: string;
                exact?: string;
                limit?: number;
                cursor?: string;
                order?: "asc" | "desc";
                after?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Tokens by name, symbol or creation */
            200: {
                headers: {
                    /** @description Name of this request in the logs; the one of the request if it had one. */
                    "x-request-id"?: string;
                    /** @description Query parameters that have no effect, separated by commas: unknown names, values that count as absent, `page` without `limit`, and unknown types in `txtype`, which find nothing. `*` stands for names in other characters and for more than 16. */
                    "x-ignored-parameters"?: string;
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
                    /**
                     * @example {
                     *       "rows": [
                     *         {
                     *           "contract_id": "ct_Y5xhBfYMNbx1335iRn5eUhBt4tGw8EQDdnUKpKgw5g8GaqD3a",
                     *           "standard": "aex9",
                     *           "meta_state": "ok",
                     *           "name": "Example",
                     *           "symbol": "EX",
                     *           "decimals": 18,
                     *           "extensions": [
                     *             "mintable"
                     *           ],
                     *           "base_url": null,
                     *           "metadata_type": null,
                     *           "supply": 5000000000000000000,
                     *           "initial_supply": 5000000000000000000,
                     *           "made": null,
                     *           "token_limit": null,
                     *           "template_limit": null,
                     *           "holders": 2,
                     *           "events": 1,
                     *           "invalid_reason": null,
                     *           "invalid_description": null,
                     *           "height": 1209,
                     *           "time": 1546717623000,
                     *           "transaction_hash": "th_FY3hXhMK1B6ubbNu8Wv6N4xp2WQ9SFyFVV6DxnCJesu6ns1x4"
                     *         }
                     *       ],
                     *       "next": null
                     *     }
                     */
                    "application/json": {
                        rows: components["schemas"]["Token"][];
                        /** @description Path and query of the next page; null at the end. */
                        next: string | null;
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
    getCollections: {
        parameters: {
            query?: {
                by?: "name" | "symbol" | "creation";
                prefix?: string;
                exact?: string;
                limit?: number;
                cursor?: string;
                order?: "asc" | "desc";
                after?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Collections by name, symbol or creation */
            200: {
                headers: {
                    /** @description Name of this request in the logs; the one of the request if it had one. */
                    "x-request-id"?: string;
                    /** @description Query parameters that have no effect, separated by commas: unknown names, values that count as absent, `page` without `limit`, and unknown types in `txtype`, which find nothing. `*` stands for names in other characters and for more than 16. */
                    "x-ignored-parameters"?: string;
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
                    /**
                     * @example {
                     *       "rows": [
                     *         {
                     *           "contract_id": "ct_Y5xhBfYMNbx1335iRn5eUhBt4tGw8EQDdnUKpKgw5g8GaqD3a",
                     *           "standard": "aex9",
                     *           "meta_state": "ok",
                     *           "name": "Example",
                     *           "symbol": "EX",
                     *           "decimals": 18,
                     *           "extensions": [
                     *             "mintable"
                     *           ],
                     *           "base_url": null,
                     *           "metadata_type": null,
                     *           "supply": 5000000000000000000,
                     *           "initial_supply": 5000000000000000000,
                     *           "made": null,
                     *           "token_limit": null,
                     *           "template_limit": null,
                     *           "holders": 2,
                     *           "events": 1,
                     *           "invalid_reason": null,
                     *           "invalid_description": null,
                     *           "height": 1209,
                     *           "time": 1546717623000,
                     *           "transaction_hash": "th_FY3hXhMK1B6ubbNu8Wv6N4xp2WQ9SFyFVV6DxnCJesu6ns1x4"
                     *         }
                     *       ],
                     *       "next": null
                     *     }
                     */
                    "application/json": {
                        rows: components["schemas"]["Token"][];
                        /** @description Path and query of the next page; null at the end. */
                        next: string | null;
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
    getRefusedTokens: {
        parameters: {
            query?: {
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Contracts that look like tokens and are none, by their ids */
            200: {
                headers: {
                    /** @description Name of this request in the logs; the one of the request if it had one. */
                    "x-request-id"?: string;
                    /** @description Query parameters that have no effect, separated by commas: unknown names, values that count as absent, `page` without `limit`, and unknown types in `txtype`, which find nothing. `*` stands for names in other characters and for more than 16. */
                    "x-ignored-parameters"?: string;
                    /** @description Height of the key block that the answer was made from. */
                    "x-chain-height"?: number;
                    /** @description Hash of that key block. */
                    "x-chain-hash"?: string;
                    /** @description Names these bytes: with `If-None-Match` they are sent only if they have changed. */
                    ETag?: string;
                    /** @description How long the answer may be kept. */
                    "Cache-Control"?: string;
                    /** @description The next page, while there is one: `rel="next"`. */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "contract_id": "ct_Y5xhBfYMNbx1335iRn5eUhBt4tGw8EQDdnUKpKgw5g8GaqD3a",
                     *         "transaction_hash": "th_2vSGDpQdQNpUVnqjqJxNNUiRVKqWTfF2xJzNV8LLzWKGZ5dA6U",
                     *         "block_height": 1210,
                     *         "standard": "aex9",
                     *         "missing": [
                     *           "balances",
                     *           "owner"
                     *         ],
                     *         "different": [
                     *           "meta_info"
                     *         ]
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["RefusedToken"][];
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
    getSwaps: {
        parameters: {
            query?: {
                from?: number;
                to?: number;
                from_time?: string;
                to_time?: string;
                limit?: number;
                cursor?: string;
                order?: "asc" | "desc";
                after?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Swaps of exchanges, newest first */
            200: {
                headers: {
                    /** @description Name of this request in the logs; the one of the request if it had one. */
                    "x-request-id"?: string;
                    /** @description Query parameters that have no effect, separated by commas: unknown names, values that count as absent, `page` without `limit`, and unknown types in `txtype`, which find nothing. `*` stands for names in other characters and for more than 16. */
                    "x-ignored-parameters"?: string;
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
                    /**
                     * @example {
                     *       "rows": [
                     *         {
                     *           "height": 1209,
                     *           "time": 1546717623000,
                     *           "transaction_hash": "th_FY3hXhMK1B6ubbNu8Wv6N4xp2WQ9SFyFVV6DxnCJesu6ns1x4",
                     *           "log_index": 3,
                     *           "pair": "ct_Y5xhBfYMNbx1335iRn5eUhBt4tGw8EQDdnUKpKgw5g8GaqD3a",
                     *           "caller": "ak_2i9GVHCZTWkRKoLqSwCUaZ7gbLXfVSgwfwTNUBCmMV1MVjRPPf",
                     *           "recipient": "ak_2i9GVHCZTWkRKoLqSwCUaZ7gbLXfVSgwfwTNUBCmMV1MVjRPPf",
                     *           "from_contract": "ct_Y5xhBfYMNbx1335iRn5eUhBt4tGw8EQDdnUKpKgw5g8GaqD3a",
                     *           "from_symbol": "EX",
                     *           "from_decimals": 18,
                     *           "from_amount": 20000000000000000,
                     *           "to_contract": "ct_Y5xhBfYMNbx1335iRn5eUhBt4tGw8EQDdnUKpKgw5g8GaqD3a",
                     *           "to_symbol": "WAE",
                     *           "to_decimals": 18,
                     *           "to_amount": 10000000000000000
                     *         }
                     *       ],
                     *       "next": null
                     *     }
                     */
                    "application/json": {
                        rows: components["schemas"]["TokenSwap"][];
                        /** @description Path and query of the next page; null at the end. */
                        next: string | null;
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
    getToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A contract. An identifier: prefix, base58 and checksum. One of another kind than expected finds nothing. */
                contract: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A token or a collection */
            200: {
                headers: {
                    /** @description Name of this request in the logs; the one of the request if it had one. */
                    "x-request-id"?: string;
                    /** @description Query parameters that have no effect, separated by commas: unknown names, values that count as absent, `page` without `limit`, and unknown types in `txtype`, which find nothing. `*` stands for names in other characters and for more than 16. */
                    "x-ignored-parameters"?: string;
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
                    /**
                     * @example {
                     *       "contract_id": "ct_Y5xhBfYMNbx1335iRn5eUhBt4tGw8EQDdnUKpKgw5g8GaqD3a",
                     *       "standard": "aex9",
                     *       "meta_state": "ok",
                     *       "name": "Example",
                     *       "symbol": "EX",
                     *       "decimals": 18,
                     *       "extensions": [
                     *         "mintable"
                     *       ],
                     *       "base_url": null,
                     *       "metadata_type": null,
                     *       "supply": 5000000000000000000,
                     *       "initial_supply": 5000000000000000000,
                     *       "made": null,
                     *       "token_limit": null,
                     *       "template_limit": null,
                     *       "holders": 2,
                     *       "events": 1,
                     *       "invalid_reason": null,
                     *       "invalid_description": null,
                     *       "height": 1209,
                     *       "time": 1546717623000,
                     *       "transaction_hash": "th_FY3hXhMK1B6ubbNu8Wv6N4xp2WQ9SFyFVV6DxnCJesu6ns1x4"
                     *     }
                     */
                    "application/json": components["schemas"]["Token"];
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
    getTokenSupply: {
        parameters: {
            query?: {
                limit?: number;
            };
            header?: never;
            path: {
                /** @description A contract. An identifier: prefix, base58 and checksum. One of another kind than expected finds nothing. */
                contract: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The newest changes of the supply of a token, newest first */
            200: {
                headers: {
                    /** @description Name of this request in the logs; the one of the request if it had one. */
                    "x-request-id"?: string;
                    /** @description Query parameters that have no effect, separated by commas: unknown names, values that count as absent, `page` without `limit`, and unknown types in `txtype`, which find nothing. `*` stands for names in other characters and for more than 16. */
                    "x-ignored-parameters"?: string;
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
                    /**
                     * @example {
                     *       "rows": [
                     *         {
                     *           "height": 1209,
                     *           "time": 1546717623000,
                     *           "transaction_hash": "th_FY3hXhMK1B6ubbNu8Wv6N4xp2WQ9SFyFVV6DxnCJesu6ns1x4",
                     *           "log_index": 0,
                     *           "change": 1000000000000000000,
                     *           "supply": 5000000000000000000
                     *         }
                     *       ],
                     *       "complete": true
                     *     }
                     */
                    "application/json": {
                        rows: components["schemas"]["SupplyChange"][];
                        /** @description Whether these are all changes since the creation of the token. */
                        complete: boolean;
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
    getTokenHolders: {
        parameters: {
            query?: {
                by?: "amount" | "account";
                limit?: number;
                cursor?: string;
                order?: "asc" | "desc";
                after?: string;
            };
            header?: never;
            path: {
                /** @description A contract. An identifier: prefix, base58 and checksum. One of another kind than expected finds nothing. */
                contract: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Accounts that hold a token, by amount or by their keys */
            200: {
                headers: {
                    /** @description Name of this request in the logs; the one of the request if it had one. */
                    "x-request-id"?: string;
                    /** @description Query parameters that have no effect, separated by commas: unknown names, values that count as absent, `page` without `limit`, and unknown types in `txtype`, which find nothing. `*` stands for names in other characters and for more than 16. */
                    "x-ignored-parameters"?: string;
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
                    /**
                     * @example {
                     *       "rows": [
                     *         {
                     *           "account_id": "ak_2i9GVHCZTWkRKoLqSwCUaZ7gbLXfVSgwfwTNUBCmMV1MVjRPPf",
                     *           "amount": 20000000000000000,
                     *           "height": 1209,
                     *           "time": 1546717623000,
                     *           "transaction_hash": "th_FY3hXhMK1B6ubbNu8Wv6N4xp2WQ9SFyFVV6DxnCJesu6ns1x4",
                     *           "log_index": 0
                     *         }
                     *       ],
                     *       "next": null
                     *     }
                     */
                    "application/json": {
                        rows: components["schemas"]["TokenHolder"][];
                        /** @description Path and query of the next page; null at the end. */
                        next: string | null;
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
    getTokenTransfers: {
        parameters: {
            query?: {
                sender?: string;
                recipient?: string;
                account?: string;
                limit?: number;
                cursor?: string;
                order?: "asc" | "desc";
                after?: string;
            };
            header?: never;
            path: {
                /** @description A contract. An identifier: prefix, base58 and checksum. One of another kind than expected finds nothing. */
                contract: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Transfers of a token, or of the tokens of a collection, newest first */
            200: {
                headers: {
                    /** @description Name of this request in the logs; the one of the request if it had one. */
                    "x-request-id"?: string;
                    /** @description Query parameters that have no effect, separated by commas: unknown names, values that count as absent, `page` without `limit`, and unknown types in `txtype`, which find nothing. `*` stands for names in other characters and for more than 16. */
                    "x-ignored-parameters"?: string;
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
                    /**
                     * @example {
                     *       "rows": [
                     *         {
                     *           "height": 1209,
                     *           "time": 1546717623000,
                     *           "transaction_hash": "th_FY3hXhMK1B6ubbNu8Wv6N4xp2WQ9SFyFVV6DxnCJesu6ns1x4",
                     *           "log_index": 0,
                     *           "sender": "ak_2i9GVHCZTWkRKoLqSwCUaZ7gbLXfVSgwfwTNUBCmMV1MVjRPPf",
                     *           "recipient": "ak_22do7DzdcNknYKyFzKssjDicnH68nNYPUucozdA51o8rAtgX8y",
                     *           "amount": 20000000000000000,
                     *           "token_id": null,
                     *           "invalid_reason": null
                     *         }
                     *       ],
                     *       "next": null
                     *     }
                     */
                    "application/json": {
                        rows: components["schemas"]["TokenTransfer"][];
                        /** @description Path and query of the next page; null at the end. */
                        next: string | null;
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
    getTokenOwners: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                order?: "asc" | "desc";
                after?: string;
            };
            header?: never;
            path: {
                /** @description A contract. An identifier: prefix, base58 and checksum. One of another kind than expected finds nothing. */
                contract: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The single tokens of a collection and their owners, by number */
            200: {
                headers: {
                    /** @description Name of this request in the logs; the one of the request if it had one. */
                    "x-request-id"?: string;
                    /** @description Query parameters that have no effect, separated by commas: unknown names, values that count as absent, `page` without `limit`, and unknown types in `txtype`, which find nothing. `*` stands for names in other characters and for more than 16. */
                    "x-ignored-parameters"?: string;
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
                    /**
                     * @example {
                     *       "rows": [
                     *         {
                     *           "token_id": 7,
                     *           "owner": "ak_2i9GVHCZTWkRKoLqSwCUaZ7gbLXfVSgwfwTNUBCmMV1MVjRPPf",
                     *           "invalid_reason": null,
                     *           "height": 1209,
                     *           "time": 1546717623000,
                     *           "transaction_hash": "th_FY3hXhMK1B6ubbNu8Wv6N4xp2WQ9SFyFVV6DxnCJesu6ns1x4"
                     *         }
                     *       ],
                     *       "next": null
                     *     }
                     */
                    "application/json": {
                        rows: components["schemas"]["SingleToken"][];
                        /** @description Path and query of the next page; null at the end. */
                        next: string | null;
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
    getTokenAllowances: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                order?: "asc" | "desc";
                after?: string;
            };
            header?: never;
            path: {
                /** @description A contract. An identifier: prefix, base58 and checksum. One of another kind than expected finds nothing. */
                contract: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What accounts allow others to spend of a token, by the keys of both */
            200: {
                headers: {
                    /** @description Name of this request in the logs; the one of the request if it had one. */
                    "x-request-id"?: string;
                    /** @description Query parameters that have no effect, separated by commas: unknown names, values that count as absent, `page` without `limit`, and unknown types in `txtype`, which find nothing. `*` stands for names in other characters and for more than 16. */
                    "x-ignored-parameters"?: string;
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
                    /**
                     * @example {
                     *       "rows": [
                     *         {
                     *           "contract_id": "ct_Y5xhBfYMNbx1335iRn5eUhBt4tGw8EQDdnUKpKgw5g8GaqD3a",
                     *           "owner": "ak_2i9GVHCZTWkRKoLqSwCUaZ7gbLXfVSgwfwTNUBCmMV1MVjRPPf",
                     *           "spender": "ak_22do7DzdcNknYKyFzKssjDicnH68nNYPUucozdA51o8rAtgX8y",
                     *           "amount": 20000000000000000,
                     *           "decimals": 18,
                     *           "name": "Example",
                     *           "symbol": "EX",
                     *           "state": "ok",
                     *           "event_amount": 20000000000000000,
                     *           "height": 1209,
                     *           "time": 1546717623000,
                     *           "transaction_hash": "th_FY3hXhMK1B6ubbNu8Wv6N4xp2WQ9SFyFVV6DxnCJesu6ns1x4",
                     *           "log_index": 0
                     *         }
                     *       ],
                     *       "next": null
                     *     }
                     */
                    "application/json": {
                        rows: components["schemas"]["TokenAllowance"][];
                        /** @description Path and query of the next page; null at the end. */
                        next: string | null;
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
    getTokenSwaps: {
        parameters: {
            query?: {
                from?: number;
                to?: number;
                from_time?: string;
                to_time?: string;
                limit?: number;
                cursor?: string;
                order?: "asc" | "desc";
                after?: string;
            };
            header?: never;
            path: {
                /** @description A contract. An identifier: prefix, base58 and checksum. One of another kind than expected finds nothing. */
                contract: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Swaps of a pair, or of all pairs of a token, newest first */
            200: {
                headers: {
                    /** @description Name of this request in the logs; the one of the request if it had one. */
                    "x-request-id"?: string;
                    /** @description Query parameters that have no effect, separated by commas: unknown names, values that count as absent, `page` without `limit`, and unknown types in `txtype`, which find nothing. `*` stands for names in other characters and for more than 16. */
                    "x-ignored-parameters"?: string;
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
                    /**
                     * @example {
                     *       "rows": [
                     *         {
                     *           "height": 1209,
                     *           "time": 1546717623000,
                     *           "transaction_hash": "th_FY3hXhMK1B6ubbNu8Wv6N4xp2WQ9SFyFVV6DxnCJesu6ns1x4",
                     *           "log_index": 3,
                     *           "pair": "ct_Y5xhBfYMNbx1335iRn5eUhBt4tGw8EQDdnUKpKgw5g8GaqD3a",
                     *           "caller": "ak_2i9GVHCZTWkRKoLqSwCUaZ7gbLXfVSgwfwTNUBCmMV1MVjRPPf",
                     *           "recipient": "ak_2i9GVHCZTWkRKoLqSwCUaZ7gbLXfVSgwfwTNUBCmMV1MVjRPPf",
                     *           "from_contract": "ct_Y5xhBfYMNbx1335iRn5eUhBt4tGw8EQDdnUKpKgw5g8GaqD3a",
                     *           "from_symbol": "EX",
                     *           "from_decimals": 18,
                     *           "from_amount": 20000000000000000,
                     *           "to_contract": "ct_Y5xhBfYMNbx1335iRn5eUhBt4tGw8EQDdnUKpKgw5g8GaqD3a",
                     *           "to_symbol": "WAE",
                     *           "to_decimals": 18,
                     *           "to_amount": 10000000000000000
                     *         }
                     *       ],
                     *       "next": null
                     *     }
                     */
                    "application/json": {
                        rows: components["schemas"]["TokenSwap"][];
                        /** @description Path and query of the next page; null at the end. */
                        next: string | null;
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
    getAccountTokens: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                order?: "asc" | "desc";
                after?: string;
            };
            header?: never;
            path: {
                /** @description An account, or a contract or an oracle, which have an account each. */
                account: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What an account holds of tokens, by the ids of the tokens */
            200: {
                headers: {
                    /** @description Name of this request in the logs; the one of the request if it had one. */
                    "x-request-id"?: string;
                    /** @description Query parameters that have no effect, separated by commas: unknown names, values that count as absent, `page` without `limit`, and unknown types in `txtype`, which find nothing. `*` stands for names in other characters and for more than 16. */
                    "x-ignored-parameters"?: string;
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
                    /**
                     * @example {
                     *       "rows": [
                     *         {
                     *           "contract_id": "ct_Y5xhBfYMNbx1335iRn5eUhBt4tGw8EQDdnUKpKgw5g8GaqD3a",
                     *           "amount": 20000000000000000,
                     *           "decimals": 18,
                     *           "name": "Example",
                     *           "symbol": "EX",
                     *           "height": 1209,
                     *           "time": 1546717623000,
                     *           "transaction_hash": "th_FY3hXhMK1B6ubbNu8Wv6N4xp2WQ9SFyFVV6DxnCJesu6ns1x4",
                     *           "log_index": 0
                     *         }
                     *       ],
                     *       "next": null
                     *     }
                     */
                    "application/json": {
                        rows: components["schemas"]["TokenHolding"][];
                        /** @description Path and query of the next page; null at the end. */
                        next: string | null;
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
    getOwnedTokens: {
        parameters: {
            query?: {
                contract?: string;
                limit?: number;
                cursor?: string;
                order?: "asc" | "desc";
                after?: string;
            };
            header?: never;
            path: {
                /** @description An account, or a contract or an oracle, which have an account each. */
                account: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The single tokens of collections that an account owns, by collection and number */
            200: {
                headers: {
                    /** @description Name of this request in the logs; the one of the request if it had one. */
                    "x-request-id"?: string;
                    /** @description Query parameters that have no effect, separated by commas: unknown names, values that count as absent, `page` without `limit`, and unknown types in `txtype`, which find nothing. `*` stands for names in other characters and for more than 16. */
                    "x-ignored-parameters"?: string;
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
                    /**
                     * @example {
                     *       "rows": [
                     *         {
                     *           "contract_id": "ct_Y5xhBfYMNbx1335iRn5eUhBt4tGw8EQDdnUKpKgw5g8GaqD3a",
                     *           "token_id": 7,
                     *           "invalid_reason": null,
                     *           "height": 1209,
                     *           "time": 1546717623000,
                     *           "transaction_hash": "th_FY3hXhMK1B6ubbNu8Wv6N4xp2WQ9SFyFVV6DxnCJesu6ns1x4"
                     *         }
                     *       ],
                     *       "next": null
                     *     }
                     */
                    "application/json": {
                        rows: components["schemas"]["OwnedToken"][];
                        /** @description Path and query of the next page; null at the end. */
                        next: string | null;
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
    getAccountAllowances: {
        parameters: {
            query?: {
                as?: "owner" | "spender";
                contract?: string;
                limit?: number;
                cursor?: string;
                order?: "asc" | "desc";
                after?: string;
            };
            header?: never;
            path: {
                /** @description An account, or a contract or an oracle, which have an account each. */
                account: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What an account allows others to spend of tokens, or what others allow it, by token */
            200: {
                headers: {
                    /** @description Name of this request in the logs; the one of the request if it had one. */
                    "x-request-id"?: string;
                    /** @description Query parameters that have no effect, separated by commas: unknown names, values that count as absent, `page` without `limit`, and unknown types in `txtype`, which find nothing. `*` stands for names in other characters and for more than 16. */
                    "x-ignored-parameters"?: string;
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
                    /**
                     * @example {
                     *       "rows": [
                     *         {
                     *           "contract_id": "ct_Y5xhBfYMNbx1335iRn5eUhBt4tGw8EQDdnUKpKgw5g8GaqD3a",
                     *           "owner": "ak_2i9GVHCZTWkRKoLqSwCUaZ7gbLXfVSgwfwTNUBCmMV1MVjRPPf",
                     *           "spender": "ak_22do7DzdcNknYKyFzKssjDicnH68nNYPUucozdA51o8rAtgX8y",
                     *           "amount": 20000000000000000,
                     *           "decimals": 18,
                     *           "name": "Example",
                     *           "symbol": "EX",
                     *           "state": "ok",
                     *           "event_amount": 20000000000000000,
                     *           "height": 1209,
                     *           "time": 1546717623000,
                     *           "transaction_hash": "th_FY3hXhMK1B6ubbNu8Wv6N4xp2WQ9SFyFVV6DxnCJesu6ns1x4",
                     *           "log_index": 0
                     *         }
                     *       ],
                     *       "next": null
                     *     }
                     */
                    "application/json": {
                        rows: components["schemas"]["TokenAllowance"][];
                        /** @description Path and query of the next page; null at the end. */
                        next: string | null;
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
    getAccountSwaps: {
        parameters: {
            query?: {
                from?: number;
                to?: number;
                from_time?: string;
                to_time?: string;
                limit?: number;
                cursor?: string;
                order?: "asc" | "desc";
                after?: string;
            };
            header?: never;
            path: {
                /** @description An account, or a contract or an oracle, which have an account each. */
                account: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Swaps that an account made, newest first */
            200: {
                headers: {
                    /** @description Name of this request in the logs; the one of the request if it had one. */
                    "x-request-id"?: string;
                    /** @description Query parameters that have no effect, separated by commas: unknown names, values that count as absent, `page` without `limit`, and unknown types in `txtype`, which find nothing. `*` stands for names in other characters and for more than 16. */
                    "x-ignored-parameters"?: string;
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
                    /**
                     * @example {
                     *       "rows": [
                     *         {
                     *           "height": 1209,
                     *           "time": 1546717623000,
                     *           "transaction_hash": "th_FY3hXhMK1B6ubbNu8Wv6N4xp2WQ9SFyFVV6DxnCJesu6ns1x4",
                     *           "log_index": 3,
                     *           "pair": "ct_Y5xhBfYMNbx1335iRn5eUhBt4tGw8EQDdnUKpKgw5g8GaqD3a",
                     *           "caller": "ak_2i9GVHCZTWkRKoLqSwCUaZ7gbLXfVSgwfwTNUBCmMV1MVjRPPf",
                     *           "recipient": "ak_2i9GVHCZTWkRKoLqSwCUaZ7gbLXfVSgwfwTNUBCmMV1MVjRPPf",
                     *           "from_contract": "ct_Y5xhBfYMNbx1335iRn5eUhBt4tGw8EQDdnUKpKgw5g8GaqD3a",
                     *           "from_symbol": "EX",
                     *           "from_decimals": 18,
                     *           "from_amount": 20000000000000000,
                     *           "to_contract": "ct_Y5xhBfYMNbx1335iRn5eUhBt4tGw8EQDdnUKpKgw5g8GaqD3a",
                     *           "to_symbol": "WAE",
                     *           "to_decimals": 18,
                     *           "to_amount": 10000000000000000
                     *         }
                     *       ],
                     *       "next": null
                     *     }
                     */
                    "application/json": {
                        rows: components["schemas"]["TokenSwap"][];
                        /** @description Path and query of the next page; null at the end. */
                        next: string | null;
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
    verifyContract: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "contract_id": "ct_Y5xhBfYMNbx1335iRn5eUhBt4tGw8EQDdnUKpKgw5g8GaqD3a",
                 *       "source": "contract ProofOfExistence =\n  record state = { n : int }\n  entrypoint init() = { n = 0 }\n",
                 *       "compiler": "4.1.0"
                 *     }
                 */
                "application/json": components["schemas"]["VerifyRequest"];
            };
        };
        responses: {
            /** @description Whether a source compiles to the code of a contract */
            200: {
                headers: {
                    /** @description Name of this request in the logs; the one of the request if it had one. */
                    "x-request-id"?: string;
                    /** @description Query parameters that have no effect, separated by commas: unknown names, values that count as absent, `page` without `limit`, and unknown types in `txtype`, which find nothing. `*` stands for names in other characters and for more than 16. */
                    "x-ignored-parameters"?: string;
                    /** @description Height of the key block that the answer was made from. */
                    "x-chain-height"?: number;
                    /** @description Hash of that key block. */
                    "x-chain-hash"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "verified": true
                     *     }
                     */
                    "application/json": components["schemas"]["Verified"] | components["schemas"]["CompilerError"];
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
                    /** @description Query parameters that have no effect, separated by commas: unknown names, values that count as absent, `page` without `limit`, and unknown types in `txtype`, which find nothing. `*` stands for names in other characters and for more than 16. */
                    "x-ignored-parameters"?: string;
                    /** @description Names these bytes: with `If-None-Match` they are sent only if they have changed. */
                    ETag?: string;
                    /** @description How long the answer may be kept. */
                    "Cache-Control"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "compilers": [
                     *         "4.0.0",
                     *         "4.1.0"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Compilers"] | components["schemas"]["CompilerError"];
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
                limit?: number;
                page?: number;
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
                    /** @description Query parameters that have no effect, separated by commas: unknown names, values that count as absent, `page` without `limit`, and unknown types in `txtype`, which find nothing. `*` stands for names in other characters and for more than 16. */
                    "x-ignored-parameters"?: string;
                    /** @description Height of the key block that the answer was made from. */
                    "x-chain-height"?: number;
                    /** @description Hash of that key block. */
                    "x-chain-hash"?: string;
                    /** @description Names these bytes: with `If-None-Match` they are sent only if they have changed. */
                    ETag?: string;
                    /** @description How long the answer may be kept. */
                    "Cache-Control"?: string;
                    /** @description Only while the database cannot be read: seconds since the answer was read from it. */
                    Age?: number;
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
                    /**
                     * @example [
                     *       {
                     *         "oracle_id": "ok_2C2eyenBqJu2ufrCYdzgJDjWu1zLzSuja4Gt3qNvsNoKqFkkBu",
                     *         "transaction_hash": "th_mDjMSB26Mph143RaZydhoTzsL2txeU5Nmk9FA463wNo2FNWFZ",
                     *         "block_height": 1000,
                     *         "expires_at": 1500,
                     *         "tx": {
                     *           "abi_version": 0,
                     *           "account_id": "ak_2C2eyenBqJu2ufrCYdzgJDjWu1zLzSuja4Gt3qNvsNoKqFkkBu",
                     *           "fee": 16592000000000,
                     *           "nonce": 1,
                     *           "oracle_ttl": {
                     *             "type": "delta",
                     *             "value": 500
                     *           },
                     *           "query_fee": 20000000000000,
                     *           "query_format": "string",
                     *           "response_format": "string",
                     *           "type": "OracleRegisterTx",
                     *           "version": 1
                     *         }
                     *       }
                     *     ]
                     */
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
                limit?: number;
                page?: number;
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
                    /** @description Query parameters that have no effect, separated by commas: unknown names, values that count as absent, `page` without `limit`, and unknown types in `txtype`, which find nothing. `*` stands for names in other characters and for more than 16. */
                    "x-ignored-parameters"?: string;
                    /** @description Height of the key block that the answer was made from. */
                    "x-chain-height"?: number;
                    /** @description Hash of that key block. */
                    "x-chain-hash"?: string;
                    /** @description Names these bytes: with `If-None-Match` they are sent only if they have changed. */
                    ETag?: string;
                    /** @description How long the answer may be kept. */
                    "Cache-Control"?: string;
                    /** @description Only while the database cannot be read: seconds since the answer was read from it. */
                    Age?: number;
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
                    /**
                     * @example [
                     *       {
                     *         "oracle_id": "ok_2C2eyenBqJu2ufrCYdzgJDjWu1zLzSuja4Gt3qNvsNoKqFkkBu",
                     *         "transaction_hash": "th_mDjMSB26Mph143RaZydhoTzsL2txeU5Nmk9FA463wNo2FNWFZ",
                     *         "block_height": 1000,
                     *         "expires_at": 1500,
                     *         "tx": {
                     *           "abi_version": 0,
                     *           "account_id": "ak_2C2eyenBqJu2ufrCYdzgJDjWu1zLzSuja4Gt3qNvsNoKqFkkBu",
                     *           "fee": 16592000000000,
                     *           "nonce": 1,
                     *           "oracle_ttl": {
                     *             "type": "delta",
                     *             "value": 500
                     *           },
                     *           "query_fee": 20000000000000,
                     *           "query_format": "string",
                     *           "response_format": "string",
                     *           "type": "OracleRegisterTx",
                     *           "version": 1
                     *         }
                     *       }
                     *     ]
                     */
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
                limit?: number;
                page?: number;
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
                    /** @description Query parameters that have no effect, separated by commas: unknown names, values that count as absent, `page` without `limit`, and unknown types in `txtype`, which find nothing. `*` stands for names in other characters and for more than 16. */
                    "x-ignored-parameters"?: string;
                    /** @description Height of the key block that the answer was made from. */
                    "x-chain-height"?: number;
                    /** @description Hash of that key block. */
                    "x-chain-hash"?: string;
                    /** @description Names these bytes: with `If-None-Match` they are sent only if they have changed. */
                    ETag?: string;
                    /** @description How long the answer may be kept. */
                    "Cache-Control"?: string;
                    /** @description Only while the database cannot be read: seconds since the answer was read from it. */
                    Age?: number;
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
                    /**
                     * @example [
                     *       {
                     *         "query_id": "oq_b5cWmvBUYGpXZhpi9ge2pgGYjuY1xHFKPnUexoKZVmogJ83sj",
                     *         "request": {
                     *           "fee": 16732000000000,
                     *           "nonce": 9,
                     *           "oracle_id": "ok_2C2eyenBqJu2ufrCYdzgJDjWu1zLzSuja4Gt3qNvsNoKqFkkBu",
                     *           "query": "aeeth",
                     *           "query_fee": 20000000000000,
                     *           "query_ttl": {
                     *             "type": "delta",
                     *             "value": 50
                     *           },
                     *           "response_ttl": {
                     *             "type": "delta",
                     *             "value": 30
                     *           },
                     *           "sender_id": "ak_22do7DzdcNknYKyFzKssjDicnH68nNYPUucozdA51o8rAtgX8y",
                     *           "ttl": 1300,
                     *           "type": "OracleQueryTx",
                     *           "version": 1,
                     *           "hash": "th_pM23GrLDHwdxqyviJqE5jLwoaJJxkiA9o41W6uDwSir371jpj",
                     *           "timestamp": 1546717443000
                     *         },
                     *         "response": null
                     *       }
                     *     ]
                     */
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
                    /** @description Query parameters that have no effect, separated by commas: unknown names, values that count as absent, `page` without `limit`, and unknown types in `txtype`, which find nothing. `*` stands for names in other characters and for more than 16. */
                    "x-ignored-parameters"?: string;
                    /** @description Height of the key block that the answer was made from. */
                    "x-chain-height"?: number;
                    /** @description Hash of that key block. */
                    "x-chain-hash"?: string;
                    /** @description Names these bytes: with `If-None-Match` they are sent only if they have changed. */
                    ETag?: string;
                    /** @description How long the answer may be kept. */
                    "Cache-Control"?: string;
                    /** @description Only while the database cannot be read: seconds since the answer was read from it. */
                    Age?: number;
                    /** @description `true` where the answer holds less than was asked for. */
                    "x-limit-capped"?: string;
                    /** @description Of generations, the rule by which the oldest are missing: `generations` (LIMIT_CAP) or `transactions` (20 times as many). */
                    "x-limit-capped-by"?: string;
                    /** @description Length of the whole list, where it is known. */
                    "x-total-count"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       "ch_2LZi6kc22Y4KjaBdUVvciUnMz5gq42jFgTC4f7r8qZGzCeadpp"
                     *     ]
                     */
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
                limit?: number;
                page?: number;
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
                    /** @description Query parameters that have no effect, separated by commas: unknown names, values that count as absent, `page` without `limit`, and unknown types in `txtype`, which find nothing. `*` stands for names in other characters and for more than 16. */
                    "x-ignored-parameters"?: string;
                    /** @description Height of the key block that the answer was made from. */
                    "x-chain-height"?: number;
                    /** @description Hash of that key block. */
                    "x-chain-hash"?: string;
                    /** @description Names these bytes: with `If-None-Match` they are sent only if they have changed. */
                    ETag?: string;
                    /** @description How long the answer may be kept. */
                    "Cache-Control"?: string;
                    /** @description Only while the database cannot be read: seconds since the answer was read from it. */
                    Age?: number;
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
                     *           },
                     *           "outcome": "ok"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ListedTransactions"];
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
                    /** @description Only while the database cannot be read: seconds since the answer was read from it. */
                    Age?: number;
                    [name: string]: unknown;
                };
                content: {
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
                    /** @description Only while the database cannot be read: seconds since the answer was read from it. */
                    Age?: number;
                    [name: string]: unknown;
                };
                content: {
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
                    /** @description Only while the database cannot be read: seconds since the answer was read from it. */
                    Age?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "height": 1209
                     *     }
                     */
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
                    /** @description Only while the database cannot be read: seconds since the answer was read from it. */
                    Age?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
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
                    /** @description Only while the database cannot be read: seconds since the answer was read from it. */
                    Age?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
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
                    /** @description Only while the database cannot be read: seconds since the answer was read from it. */
                    Age?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
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
                    /** @description Only while the database cannot be read: seconds since the answer was read from it. */
                    Age?: number;
                    [name: string]: unknown;
                };
                content: {
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
                    /** @description Only while the database cannot be read: seconds since the answer was read from it. */
                    Age?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "count": 2
                     *     }
                     */
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
                    /** @description Only while the database cannot be read: seconds since the answer was read from it. */
                    Age?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
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
                    /** @description Query parameters that have no effect, separated by commas: unknown names, values that count as absent, `page` without `limit`, and unknown types in `txtype`, which find nothing. `*` stands for names in other characters and for more than 16. */
                    "x-ignored-parameters"?: string;
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
    getNetwork: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The network of the chain: its form, its time between key blocks, its coin */
            200: {
                headers: {
                    /** @description Name of this request in the logs; the one of the request if it had one. */
                    "x-request-id"?: string;
                    /** @description Query parameters that have no effect, separated by commas: unknown names, values that count as absent, `page` without `limit`, and unknown types in `txtype`, which find nothing. `*` stands for names in other characters and for more than 16. */
                    "x-ignored-parameters"?: string;
                    /** @description Height of the key block that the answer was made from. */
                    "x-chain-height"?: number;
                    /** @description Hash of that key block. */
                    "x-chain-hash"?: string;
                    /** @description Names these bytes: with `If-None-Match` they are sent only if they have changed. */
                    ETag?: string;
                    /** @description How long the answer may be kept. */
                    "Cache-Control"?: string;
                    /** @description Only while the database cannot be read: seconds since the answer was read from it. */
                    Age?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "network_id": "ae_mainnet",
                     *       "genesis_key_block_hash": "kh_pbtwgLrNu23k9PA6XCZnUbtsvEFeQGgavY4FS2do3QP8kcp2z",
                     *       "consensus": "pow",
                     *       "milliseconds_per_block": 180000,
                     *       "rewards": "protocol",
                     *       "currency": {
                     *         "name": "aeternity",
                     *         "symbol": "AE",
                     *         "subunit": "aetto",
                     *         "digits": 18
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Network"];
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
                    /** @description Query parameters that have no effect, separated by commas: unknown names, values that count as absent, `page` without `limit`, and unknown types in `txtype`, which find nothing. `*` stands for names in other characters and for more than 16. */
                    "x-ignored-parameters"?: string;
                    /** @description Names these bytes: with `If-None-Match` they are sent only if they have changed. */
                    ETag?: string;
                    /** @description How long the answer may be kept. */
                    "Cache-Control"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "alive": true
                     *     }
                     */
                    "application/json": components["schemas"]["Liveness"];
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
                    /** @description Query parameters that have no effect, separated by commas: unknown names, values that count as absent, `page` without `limit`, and unknown types in `txtype`, which find nothing. `*` stands for names in other characters and for more than 16. */
                    "x-ignored-parameters"?: string;
                    /** @description Names these bytes: with `If-None-Match` they are sent only if they have changed. */
                    ETag?: string;
                    /** @description How long the answer may be kept. */
                    "Cache-Control"?: string;
                    [name: string]: unknown;
                };
                content: {
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
                    /** @description Query parameters that have no effect, separated by commas: unknown names, values that count as absent, `page` without `limit`, and unknown types in `txtype`, which find nothing. `*` stands for names in other characters and for more than 16. */
                    "x-ignored-parameters"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example id: 71.kh_VtFgDuQ7Awc6BtWRFLmjwo9UfuzL5rxmAxRuddNBYRT6njYnC
                     *     data: {"subscription":"key_blocks","payload":{}}
                     */
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
                    /** @description Query parameters that have no effect, separated by commas: unknown names, values that count as absent, `page` without `limit`, and unknown types in `txtype`, which find nothing. `*` stands for names in other characters and for more than 16. */
                    "x-ignored-parameters"?: string;
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
            query?: {
                "int-as-string"?: string;
            };
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
                    /** @description Query parameters that have no effect, separated by commas: unknown names, values that count as absent, `page` without `limit`, and unknown types in `txtype`, which find nothing. `*` stands for names in other characters and for more than 16. */
                    "x-ignored-parameters"?: string;
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
            400: components["responses"]["BadRequest"];
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
                    /** @description Query parameters that have no effect, separated by commas: unknown names, values that count as absent, `page` without `limit`, and unknown types in `txtype`, which find nothing. `*` stands for names in other characters and for more than 16. */
                    "x-ignored-parameters"?: string;
                    /** @description The page loads nothing from anywhere else. */
                    "Content-Security-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
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
}
