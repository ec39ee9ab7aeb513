import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { findCollections } from './find-collections.ts';
import { root, sourceFiles } from './source-files.ts';

/** What is never a caller's text, or ends with its request. */
const CONSTANT = ['nothing: it stays empty', 'constant'] as const;
const ONE_CALL = ['what one call or message contains', 'the call: at most 64 KB'] as const;
const ONE_RUN = ['what a command was asked for', "the run of an operator's command"] as const;
const CONTRACT = ["the WSDL's names", 'the contract'] as const;

/**
 * Every collection that may outlive a call: what is its key, or its item, and what bounds it. What a caller writes is the key of none, unless
 * a number bounds it.
 */
const KEPT: Readonly<Record<string, readonly [key: string, bound: string]>> = {
  'access/login-delays.ts this.attempts': ['network, name', 'MOST_COUNTED, and a time'],
  'access/login-delays.ts {others}': ['attempts that wait', 'MOST_WAITING_ATTEMPTS'],
  'access/login-delays.ts {proved}': ['attempts that wait', 'MOST_WAITING_ATTEMPTS'],
  'access/rate-limits.ts minutes': ['network, client', 'its max, and a minute'],
  'access/secret-verifier.ts this.first': ['hashes that wait', 'MOST_WAITING_HASHES'],
  'access/secret-verifier.ts this.others': ['hashes that wait', 'MOST_WAITING_HASHES'],
  'access/secret-verifier.ts this.running': ['a digest', 'hashes that run or wait'],
  'appointments/read-patient.ts amounts': ONE_CALL,
  'calls/sum-reads.ts {rows}': ['address, record', 'MOST_LISTS'],
  'calls/sum-reads.ts {shown}': ['record', 'MOST_SHOWN'],
  'commands/rehearse/observe-request.ts {dates}': CONSTANT,
  'commands/rehearse/rehearse-command.ts open': ['socket', 'open connections'],
  'commands/rehearse/relay.ts open': ['socket', 'open connections'],
  'commands/rehearse/tally.ts this.lines': ['what a report counts', 'MOST_VALUES'],
  'commands/rehearse/tally.ts this.numbers': ['program', 'MOST_VALUES'],
  'commands/rehearse/tally.ts {callers}': ['number of a caller', 'MOST_DETAILS'],
  'commands/rehearse/tally.ts {doctors}': ['doctor', 'MOST_DETAILS'],
  'commands/smoke-command.ts tried': ONE_RUN,
  'contract/read-contract.ts types': CONTRACT,
  'contract/read-contract.ts {children}': CONSTANT,
  'doctor/access.ts sound': ['settings', 'weak'],
  'doctor/day-history.ts this.quarters': ['quarter of an hour', 'a day'],
  'doctor/day-history.ts {refused}': ['code', 'the codes of errors and results'],
  'doctor/operating-pages.ts pages': ['path of a page', 'the pages'],
  'http/bytes-in-flight.ts this.senders': ['network', 'open connections'],
  'http/bytes-in-flight.ts {open}': ['bodies and answers', 'open connections'],
  'http/connection.ts this.unanswered': ['requests', 'MOST_UNANSWERED'],
  'http/connections.ts known': ['socket', 'weak'],
  'http/connections.ts this.held': ['connection', 'open connections'],
  'http/connections.ts this.networks': ['network', 'open connections'],
  'http/connections.ts this.open': ['ends of a connection', 'open connections'],
  'http/express-messages.ts waiting': ['answers', 'one turn of the event loop'],
  'log/budgets.ts minutes': ['code, event', 'MOST_KEYS, and a minute'],
  'log/budgets.ts this.reports': ['budgets', 'made at the start'],
  'messages/gateways/provider-reports.ts parsed': ['texts of a callback', 'MOST_EVENTS, and the callback'],
  'messages/gateways/smpp-connection.ts this.unread': [
    'PDUs of an SMS center',
    'what was read of the connection at once',
  ],
  'messages/gateways/smpp-connection.ts this.waiting': ['sequence number', 'requests in flight, and a time'],
  'messages/gateways/smpp-gateway.ts this.begun': ['SMSID', 'MOST_SEGMENTS'],
  'messages/gateways/smpp-gateway.ts this.segments': ["the SMS center's id", 'MOST_SEGMENTS'],
  'messages/outbox-worker.ts this.fates': ['messages that were sent', 'the window of the sender'],
  'messages/receipt-inbox.ts this.waiting': ['receipts', 'MOST_WAITING_RECEIPTS'],
  'messages/sender.ts this.numbers': ['phone', 'SEVERAL'],
  'messages/sender.ts this.inFlight': ['SMSID', 'the window of the sender'],
  'reference/import-files.ts missing': ONE_RUN,
  'reference/import-files.ts rowsOf': ONE_RUN,
  'reference/import-records.ts this.replaced': ONE_RUN,
  'reference/list-doctors.ts lists': ['reference data', 'weak'],
  'reference/seat-rows.ts this.ofDoctor': ONE_RUN,
  'reference/seat-rows.ts this.ofName': ONE_RUN,
  'reference/seat-rows.ts this.places': ONE_RUN,
  'reference/problem.ts this.kept': ['problems of a file', 'MOST_KEPT'],
  'reference/undo-floats.ts floats': ['columns of a file', 'the cells of a row of at most LONGEST_ROW characters'],
  'service/closing-order.ts this.steps': ['steps', 'made at the start'],
  'service/open-service.ts servedContracts': ['settings', 'one for each service in the process'],
  'settings/config.ts values': ['names of settings', 'the settings'],
  'store/postgres/postgres-session.ts compiled': ['statements', 'those of the source'],
  'store/postgres/postgres-session.ts names': ['text of a statement', 'MOST_PREPARED'],
  'store/postgres/postgres-store.ts this.running': ['work', 'calls in flight'],
  'store/postgres/postgres-store.ts this.writers': ['connection', 'weak'],
  'store/postgres/work-keys.ts this.ends': ['work', 'calls in flight'],
  'store/postgres/work-keys.ts this.last': ['keys of work', 'calls in flight'],
  'store/postgres/writer-places.ts this.waiting': ['work', 'calls in flight'],
  'store/queries/reference-rows.ts {key}': CONSTANT,
  'store/sqlite/sqlite-session.ts prepared': ['text of a statement', 'those of the source'],
  'store/sqlite/sqlite-session.ts {compiled}': ['statements', 'those of the source'],
  'store/sqlite/write-batch.ts this.waiting': ['work', 'calls in flight'],
  'transports/pages/metadata.ts cached': ['address, document', 'MOST_CACHED'],
  'transports/record-writer.ts written': ['record', 'weak'],
  'transports/soap/message-reader.ts this.notUnderstood': ONE_CALL,
  'transports/soap/message-reader.ts this.understood': ONE_CALL,
  'vocabulary/attempt.ts told': ['what was attempted', 'the texts of the source'],
  'vocabulary/errors.ts this.notUnderstood': ONE_CALL,
  'vocabulary/time-zone.ts knownPeriods': ['zones of centers', 'the centers, MOST_PERIODS each'],
  'xml/namespace-scope.ts this.declared': ONE_CALL,
  'xml/xml-scanner.ts NO_ATTRIBUTES': CONSTANT,
  'xml/xml-scanner.ts this.openNames': ONE_CALL,
  'xml/xml-scanner.ts this.outerDeclarations': ONE_CALL,
};

describe('Collections that outlive a call', () => {
  it('are all in the table above, with their keys and their bounds', () => {
    const found = sourceFiles().flatMap(({ path }) =>
      findCollections(path, readFileSync(new URL(`src/${path}`, root), 'utf8')).map((name) => `${path} ${name}`),
    );
    expect(found).to.have.members(Object.keys(KEPT));
  });

  it('name a bound that their file has', () => {
    for (const [place, [, bound]] of Object.entries(KEPT)) {
      const [constant] = /\b(?:MOST_[A-Z_]+|SEVERAL)\b/.exec(bound) ?? [];
      const [file = ''] = place.split(' ');
      if (constant !== undefined)
        expect(readFileSync(new URL(`src/${file}`, root), 'utf8'), place).to.include(constant);
    }
  });

  it('are found in a module, in an instance, in an object, and in what an inner function uses', () => {
    const text = `
      const a = new Map<string, number>();
      const constant = new Map([[1, 2]]);
      class C { readonly #b = new WeakMap(); c: string[] = []; constructor() { this.d = new LRUCache({ max: 1 }); } }
      const make = () => ({ e: new Set() });
      function open() { const f = new Set(); const list = []; return (x) => f.add(x); }
      function once(x) { const local = new Map(); local.set(x, 1); return local; }`;
    expect(findCollections('a.ts', text)).to.deep.equal(['a', 'f', 'this.b', 'this.c', 'this.d', '{e}']);
  });
});
