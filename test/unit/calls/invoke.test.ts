import { expect } from 'chai';
import { ANONYMOUS } from '../../../src/access/client.ts';
import type { CallEvent } from '../../../src/calls/call.ts';
import { createInvoke } from '../../../src/calls/invoke.ts';
import type { Contract, Operation, ResultRecord } from '../../../src/contract/contract.ts';
import { Budgets } from '../../../src/log/budgets.ts';
import type { LogFields } from '../../../src/log/log.ts';
import type { Store } from '../../../src/store/store.ts';
import { ServiceError } from '../../../src/vocabulary/errors.ts';
import { Refusal } from '../../../src/vocabulary/result-codes.ts';
import { ownContract } from '../../wire/contract/own-wsdl.ts';

describe('invoke', () => {
  const lines: (LogFields & { event: string })[] = [];
  const note = (event: string, fields: LogFields = {}) => void lines.push({ event, ...fields });
  const log = { error: note, warn: note, info: note, debug: note };
  const operation = ownContract.operations.find(({ name }) => name === 'GetDoctor') as Operation;
  const onlyGetDoctor: Contract = { ...ownContract, operations: [operation] };
  const call = {
    operation,
    input: { centerid: 1 },
    transport: 'soap12',
    client: ANONYMOUS,
    network: '192.0.2.1',
    address: '10.0.0.7',
    correlationId: 'id-1',
  } as const;
  const counted: CallEvent[] = [];
  const COUNTED = { operation: call.operation, transport: 'soap12', ms: 5, read: undefined } as const;
  beforeEach(() => {
    lines.length = 0;
    counted.length = 0;
  });

  function open(implementations: object, contract: Contract = onlyGetDoctor, writesDebug = true) {
    let now = 0;
    return createInvoke({
      contract,
      implementations,
      store: {} as Store,
      log: { ...log, writesDebug },
      clock: () => now,
      stopwatch: () => (now += 5),
      counters: [{ count: (event) => void counted.push(event) }],
      budgets: new Budgets({ ...log, writesDebug }, () => 0),
    });
  }
  const invokeWith = (GetDoctor: () => Promise<ResultRecord>) => open({ GetDoctor });

  it('returns the record of an implementation unchanged', async () => {
    const record = { ResultCode: 1, ResultText: 'OK.' };
    const outcome = await invokeWith(async () => record)(call);
    expect(outcome).to.equal(record);
    expect(counted).to.deep.equal([{ ...COUNTED, resultCode: 1 }]);
  });

  it('passes on a refusal, and counts it by its ResultCode', async () => {
    const refusal = new Refusal('UnknownCenter', 'No such center.', 'centerid');
    const thrown = await invokeWith(() => Promise.reject(refusal))(call).catch((error) => error);
    expect(thrown).to.equal(refusal);
    expect(counted).to.deep.equal([{ ...COUNTED, resultCode: 11 }]);
  });

  for (const error of [new ServiceError('Unavailable'), new TypeError('x is undefined')]) {
    it(`passes on a ${error.name}`, async () => {
      const invoke = invokeWith(() => Promise.reject(error));
      expect(await invoke(call).catch((thrown) => thrown)).to.equal(error);
      expect(counted).to.deep.equal([{ ...COUNTED, resultCode: undefined }]);
    });
  }

  it('cannot be created if an operation has no implementation', () => {
    expect(() => open({})).to.throw('The WSDL has the operation GetDoctor, which has no implementation.');
  });

  it('does not treat an inherited property as an implementation', () => {
    const odd = { ...operation, name: 'constructor' };
    expect(() => open({}, { ...ownContract, operations: [odd] })).to.throw('operation constructor, which has no');
  });

  it('logs each call once, with its outcome', async () => {
    await invokeWith(async () => ({ ResultCode: 0, ResultText: 'OK.' }))(call);
    const what = { event: 'call', operation: 'GetDoctor', transport: 'soap12', resultCode: 0, milliseconds: 5 };
    expect(lines).to.deep.equal([{ ...what, client: 'anonymous', address: '10.0.0.7', correlationId: 'id-1' }]);
  });

  it('logs no call that only reads, unless such calls are wanted', async () => {
    await open({ GetDoctor: async () => ({ ResultCode: 0, ResultText: 'OK.' }) }, onlyGetDoctor, false)(call);
    expect(lines).to.deep.equal([]);
  });
});
