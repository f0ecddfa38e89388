import { expect } from 'chai';
import { encodeId, hash } from '../../src/chain/encoding/encoding.js';
import {
  asciiName,
  authenticationId,
  channelId,
  contractId,
  nameHash,
  oracleId,
  queryId,
} from '../../src/chain/protocol/ids.js';
import { MalformedError } from '../../src/chain/malformed.js';

const OWNER = 'ak_P1hn3JnJXcdx8USijBcgZHLgvZywH5PbjQK5G1iZaEu9obHiH';

describe('computed identifiers', () => {
  it('of contracts', () => {
    expect(contractId(OWNER, 2n)).to.equal('ct_5ye5dEQwtCrRhsKYq8BprAMFptpY59THUyTxSBQKpDTcywEhk');
    expect(contractId('ak_2pxAtcbSsaP6hxvNGj5NuUitb5RGqMSeBQgsZ7HcUCm7ZkQKw2', 7n)).to.equal(
      'ct_2ZNzN6QF7t2rm2D5ye5g2AFQT8HmBNVmtSBQY193Sb2AwfiZCa',
    );
    expect(contractId('ak_2gmnvqBV2LYey9s4rdwFNYKez7QjRjGgrRFqmv6M6Zfsu3Q8h6', 1n)).to.equal(
      'ct_Qr1GpnCwm1J5S1GDXEn4DphSy9DebCqX3yPpfhxTd6EMf2o4R',
    );
  });

  it('of contracts, with nonce 0 as one zero byte and long nonces without leading ones', () => {
    const key = Buffer.from('f093401869b183da3dc0011471918695e6eb68e15521d6e362bbb24d71216e1a', 'hex');
    const owner = encodeId('ak', key);

    expect(contractId(owner, 0n)).to.equal(encodeId('ct', hash(key, Uint8Array.of(0))));
    expect(contractId(owner, 0x1234567890abcdef01n)).to.equal(
      encodeId('ct', hash(key, Buffer.from('1234567890abcdef01', 'hex'))),
    );
  });

  it('of channels', () => {
    expect(
      channelId(
        'ak_2i9GVHCZTWkRKoLqSwCUaZ7gbLXfVSgwfwTNUBCmMV1MVjRPPf',
        42n,
        'ak_22do7DzdcNknYKyFzKssjDicnH68nNYPUucozdA51o8rAtgX8y',
      ),
    ).to.equal('ch_2LZi6kc22Y4KjaBdUVvciUnMz5gq42jFgTC4f7r8qZGzCeadpp');
    expect(
      channelId(
        'ak_2pxAtcbSsaP6hxvNGj5NuUitb5RGqMSeBQgsZ7HcUCm7ZkQKw2',
        9n,
        'ak_n6qew4KzLoRkUCS2yVhHSHKXdUDQ5WUezf5hRP7YnprKiZhWC',
      ),
    ).to.equal('ch_2oteYZmhxayevTz5e1WB1sMv6iCRcRspzBZBdN9b2U5YWE3kZd');
  });

  it('of oracle queries', () => {
    expect(
      queryId(
        'ak_2ZjpYpJbzq8xbzjgPuEpdq9ahZE7iJRcAYC1weq3xdrNbzRiP4',
        1n,
        'ok_2iqfJjbhGgJFRezjX6Q6DrvokkTM5niGEHBEJZ7uAG5fSGJAw1',
      ),
    ).to.equal('oq_2YvZnoohcSvbQCsPKSMxc98i5HZ1sU5mR6xwJUZC3SvkuSynMj');
    const own = 'ak_EmJyR97vW4jzdcCPCvgjUa8RUmo45E1KnExBum38yz48Frwov';
    expect(queryId(own, 3n, oracleId(own))).to.equal('oq_2f9NqPf39Hin4FZoYCyL66zcyZEQJ3L2K7ZGQFbTR3PdT3u2m');
    expect(
      queryId(
        'ak_n6qew4KzLoRkUCS2yVhHSHKXdUDQ5WUezf5hRP7YnprKiZhWC',
        3n,
        'ok_2h7CX2BqXuHf89JzGcE7gFKSFGQT66LCp5sp5DY21J2RWMQh1M',
      ),
    ).to.equal('oq_WHDctPX8duiZAhvvxKBR6MM51vcm2zERtDUZMMmqxzFW4jbCj');
  });

  it('of what a generalized account creates, by its authentication id', () => {
    const key = new Uint8Array(32).fill(1);
    const other = new Uint8Array(32).fill(2);
    const account = encodeId('ak', key);
    const authentication = authenticationId(account, encodeId('cb', Uint8Array.of(9)));

    expect(authentication).to.deep.equal(hash(key, Uint8Array.of(9)));
    expect(contractId(account, authentication)).to.equal(encodeId('ct', hash(key, authentication)));
    expect(channelId(account, authentication, encodeId('ak', other))).to.equal(
      encodeId('ch', hash(key, authentication, other)),
    );
    expect(queryId(account, authentication, encodeId('ok', other))).to.equal(
      encodeId('oq', hash(authentication, other)),
    );
  });
});

describe('name hashes', () => {
  const vectors = {
    'example21.chain': 'nm_2tMJx8cXGy2oy7efC1FSne3EifksFYnm1KyckDYGvyYfn5GKUC',
    'asdas.chain': 'nm_2DMazuJNrGkQYve9eMttgdteaigeeuBk3fmRYSThJZ2NpX3r8R',
    'morethantwelve.chain': 'nm_2JiYeYyL4qgTm7Rb16AG1LuUWGHdyuH6v8uRcJ2Gfqto9ezBFR',
    'MoreThanTwelve.CHAIN': 'nm_2JiYeYyL4qgTm7Rb16AG1LuUWGHdyuH6v8uRcJ2Gfqto9ezBFR',
    'foobarfoobar1.chain': 'nm_2Phfd77pKuSMEkL413uvdWUaBA6eoaoEuQTggiJpBHVWvp1J79',
    'ünïcödénämetest5.chain': 'nm_s7f5Acnum2bhLJio6CTpKHMGxRrAjwkVKrnp5UsjaJ3pa6jhd',
    'ÜNÏCÖDÉNÄMETEST5.chain': 'nm_s7f5Acnum2bhLJio6CTpKHMGxRrAjwkVKrnp5UsjaJ3pa6jhd',
    'welghmolql.test': 'nm_Ziiq3M9ASEHXCV71qUNde6SsomqwZjYPFvnJSvTkpSUDiXqH3',
    'foobar.test': 'nm_2S4U3A6LGh2LASvbA1RgA6WVq9FDBCfEZK6FN5uL65MPVhiVGL',
  };
  for (const [name, id] of Object.entries(vectors)) {
    it(`of ${name}`, () => expect(nameHash(name)).to.equal(id));
  }

  for (const name of ['ü/x.chain', 'ü%41.chain', 'ü b.chain', 'a\u0000.chain', 'x'.repeat(2000)]) {
    it(`does not cut ${JSON.stringify(name.slice(0, 20))} short`, () => {
      expect(() => asciiName(name)).to.throw(MalformedError, 'name');
    });
  }

  it('have the same ASCII form at every call', () => {
    // Once Node.js 20 has optimised URL.canParse, it reads Latin-1 texts as UTF-8 and refuses them.
    const wrong = Array.from({ length: 200_000 }, (_, i) => asciiName(i % 2 === 0 ? 'é.io' : 'ü.x')).filter(
      (ascii) => ascii !== 'xn--9ca.io' && ascii !== 'xn--tda.x',
    );
    expect(wrong).to.deep.equal([]);
  });
});
