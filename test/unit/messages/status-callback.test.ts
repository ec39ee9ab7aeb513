import { expect } from 'chai';
import { chooseHttpGateway } from '../../../src/messages/gateways/http-gateway.ts';
import { receiptsIn } from '../../../src/messages/gateways/provider-reports.ts';
import type { DeliveryReceipt } from '../../../src/vocabulary/messages.ts';
import { gatewayNamed } from './example-gateways.ts';

const ACCOUNT = { username: 'hospital', password: 'secret', sender: undefined, callbackSecret: undefined };
const readerOf = (provider: string) => {
  const { readStatusCallback } = chooseHttpGateway(gatewayNamed(provider), ACCOUNT);
  if (readStatusCallback === undefined) throw new Error(`${provider} has no callbacks`);
  return readStatusCallback;
};

const receipt = (values: Partial<DeliveryReceipt>): DeliveryReceipt => ({
  messageId: undefined,
  reference: undefined,
  status: 'delivered',
  code: undefined,
  ...values,
});

const MSG91_REPORT = [
  { number: '919845012345', status: '1', desc: 'DELIVERED' },
  { number: '919845012346', status: '16', desc: 'REJECTED' },
];
const MSG91_REPORTS = JSON.stringify([
  { senderId: 'TPHOSP', requestId: '3365646f1', report: MSG91_REPORT },
  { requestId: '3365646f2', report: [{ status: '2' }] },
]);

const MSG91_RECEIPTS = [
  receipt({ reference: '3365646f1', code: '1' }),
  receipt({ reference: '3365646f1', code: '16', status: 'failed' }),
  receipt({ reference: '3365646f2', code: '2', status: 'failed' }),
];
const CALLS: readonly (readonly [preset: string, query: string, body: string, receipts: readonly DeliveryReceipt[]])[] =
  [
    ['kannel', 'id=12&status=1', '', [receipt({ messageId: 12, code: '1' })]],
    ['kannel', 'id=12&status=2', '', [receipt({ messageId: 12, status: 'failed', code: '2' })]],
    ['kannel', 'id=12&status=16', '', [receipt({ messageId: 12, status: 'failed', code: '16' })]],
    ['kannel', 'id=12&status=66', '', [receipt({ messageId: 12, status: 'failed', code: '66' })]],
    ['kannel', 'id=12&status=8', '', [receipt({ messageId: 12, status: 'submitted', code: '8' })]],
    ['kannel', 'id=12&status=34', '', [receipt({ messageId: 12, status: 'expired', code: '34' })]],
    ['kannel', 'id=12&status=64', '', []],
    ['kannel', 'id=0&status=1', '', []],
    ['kannel', 'id=1e3&status=1', '', []],
    ['kannel', 'id=2147483647&status=1', '', [receipt({ messageId: 2_147_483_647, code: '1' })]],
    ['kannel', 'id=2147483648&status=1', '', []],
    ['kannel', 'status=1', '', []],
    ['kannel', '%ff&%', 'nonsense', []],
    ['msg91', '', new URLSearchParams({ data: MSG91_REPORTS }).toString(), MSG91_RECEIPTS],
    ['msg91', '', `{"data":${JSON.stringify(MSG91_REPORTS)}}`, MSG91_RECEIPTS],
    [
      'msg91',
      '',
      '{"requestId":346178616466343130,"status":"1"}',
      [receipt({ reference: '346178616466343130', code: '1' })],
    ],
    ['msg91', '', '{"requestId":1,', []],
    [
      'gupshup',
      'externalId=3562707498794989059-32873&deliveredTS=1526347800000&status=SUCCESS&cause=SUCCESS&phoneNo=919845012345&errCode=000',
      '',
      [receipt({ reference: '3562707498794989059-32873', code: '000' })],
    ],
    [
      'gupshup',
      'externalId=1-2&status=FAILURE&errCode=003',
      '',
      [receipt({ reference: '1-2', code: '003', status: 'failed' })],
    ],
    ['gupshup', 'externalId=1-2&status=UNKNOWN', '', []],
    [
      'gupshup',
      '',
      '[{"externalId":"1-2","eventType":"DELIVERED","errCode":"000"},{"externalId":3562707498794989059,"eventType":"FAILED","errCode":3}]',
      [
        receipt({ reference: '1-2', code: '000' }),
        receipt({ reference: '3562707498794989059', code: '3', status: 'failed' }),
      ],
    ],
    ['gupshup', '', 'response=[{"externalId":"1-2","eventType":"DELIVERED"}]', [receipt({ reference: '1-2' })]],
    ['textlocal', '', 'number=919845012345&status=D&customID=77&datetime=x', [receipt({ messageId: 77, code: 'D' })]],
    [
      'textlocal',
      '',
      'number=919845012345&status=U&customID=77',
      [receipt({ messageId: 77, code: 'U', status: 'failed' })],
    ],
    ['textlocal', '', 'number=919845012345&status=%3F&customID=77', [receipt({ messageId: 77, status: 'expired' })]],
    ['textlocal', '', 'number=919845012345&status=E&customID=77', []],
  ];

describe('a status callback', () => {
  for (const [preset, query, body, receipts] of CALLS) {
    it(`of ${preset}: ${query} ${body}`.slice(0, 120), () => {
      expect(readerOf(preset)(query, body)).to.deep.equal(receipts);
    });
  }

  it('keeps no code that could be a phone number, and no invalid reference', () => {
    const description = {
      events: [''],
      messageId: 'id',
      reference: 'ref',
      code: 'code',
      statuses: [{ name: 'id', match: '', means: 'delivered' as const }],
    };
    expect(receiptsIn('id=1&code=919845012345&ref=a%20b', '', description)).to.deep.equal([receipt({ messageId: 1 })]);
    expect(receiptsIn('id=1&code=E-7&ref=a-b', '', description)).to.deep.equal([
      receipt({ messageId: 1, code: 'E-7', reference: 'a-b' }),
    ]);
  });

  it('reads at most 1000 events', () => {
    const events = Array.from({ length: 1500 }, (_, index) => ({ externalId: `x-${index}`, eventType: 'DELIVERED' }));
    expect(readerOf('gupshup')('', JSON.stringify(events))).to.have.length(1000);
  });
});
