import { signBody } from 'mop-cli';

const fields = { timestamp: 1795000000, nonce: 'abcdefghij', seqId: 'seq-1' };
console.log(signBody('{"lat":30.10}', { apiKey: 'k', secret: 's' }, fields).sign);
