import { readFileSync } from 'node:fs';
import { readContract } from '../../../src/contract/read-contract.ts';

/** The service's WSDL as in its file, and the contract read from it. */
export const ownWsdl = readFileSync(new URL('../../../wsdl/TPWebServices.wsdl', import.meta.url), 'utf8');
export const ownContract = readContract(ownWsdl);
