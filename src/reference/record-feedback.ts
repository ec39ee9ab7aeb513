import type { CallContext, OperationDependencies } from '../calls/dependencies.ts';
import type { FB_Push_DetailsInput, FeedbackReceipt } from '../contract/generated-types.ts';
import type { Queries } from '../store/store.ts';
import { feedbackKey } from '../store/store-keys.ts';
import { Refusal, ResultCode } from '../vocabulary/result-codes.ts';
import { nonBlank } from '../vocabulary/text.ts';
import { wallSecondTextAt } from '../vocabulary/time-zone.ts';

/** If the same feedback is sent again within this time, it is a retry; in milliseconds. */
const SAME_FEEDBACK_WINDOW = 24 * 60 * 60 * 1000;

/** FB_Push_Details: stores feedback from an inpatient. */
export function recordFeedback({ clock, policy }: OperationDependencies) {
  return fbPushDetails;

  async function fbPushDetails(input: FB_Push_DetailsInput, call: CallContext): Promise<FeedbackReceipt> {
    const feedback = {
      client: call.client,
      inpatientNumber: nonBlank(input.ipno) ?? '',
      room: nonBlank(input.roomno) ?? null,
      mobile: nonBlank(input.moblieno) ?? null,
      department: nonBlank(input.dept) ?? null,
      comment: nonBlank(input.needsimprovementcommit) ?? null,
    };
    return call.write(store, [feedbackKey(feedback.inpatientNumber)]);

    async function store(queries: Queries): Promise<FeedbackReceipt> {
      if (feedback.inpatientNumber === '')
        throw new Refusal('InvalidInput', 'the inpatient number is required.', 'ipno');
      if ((feedback.room ?? feedback.mobile ?? feedback.department ?? feedback.comment) === null) {
        const text = 'at least one of roomno, moblieno, dept and needsimprovementcommit is required.';
        throw new Refusal('InvalidInput', text, 'needsimprovementcommit');
      }
      const now = clock();
      const same = await queries.feedback.same(feedback, now - SAME_FEEDBACK_WINDOW);
      if (same !== undefined) {
        return receipt(ResultCode.Duplicate, 'The same feedback was received earlier.', same.id, same.receivedOn);
      }
      const id = await queries.feedback.insert({ ...feedback, receivedOn: now });
      return receipt(ResultCode.OK, 'The feedback was received.', id, now);
    }

    function receipt(resultCode: number, resultText: string, id: number, receivedOn: number): FeedbackReceipt {
      return {
        ResultCode: resultCode,
        ResultText: resultText,
        FeedbackID: id,
        ReceivedOn: wallSecondTextAt(receivedOn, policy.timeZone),
      };
    }
  }
}
