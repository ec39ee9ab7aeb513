import { expect } from 'chai';
import { placeOf } from '../../../src/store/postgres/server.ts';

describe('The place of a PostgreSQL database', () => {
  for (const url of [
    'postgres://hospital:p@SECRET@db:5432/tp',
    'postgresql://db:5432/tp?password=pa@SECRET',
    'postgres://hospital@db:5432/tp?user=SECRET@x&password=SECRET@SECRET',
    'postgres://db:5432/tp?password=SECRET?SECRET',
  ]) {
    it(`shows no part of a password in ${url}`, () => {
      expect(placeOf({ url })).to.equal('db:5432/tp');
    });
  }
});
