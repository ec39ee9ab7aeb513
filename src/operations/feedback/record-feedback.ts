import type { FB_Push_DetailsInput, FeedbackReceipt } from '../../contract/generated-types.ts';
import { wallSecondTextAt } from '../../rules/time-zone.ts';
import { feedbackKey } from '../../store/store-keys.ts';
import { Refusal, ResultCode } from '../../vocabulary/result-codes.ts';
import { nonBlank } from '../../vocabulary/text.ts';
import type { CallContext, OperationDependencies } from '../dependencies.ts';

/** If the same feedback is sent again within this time, it is a retry; in milliseconds. */
const SAME_FEEDBACK_WINDOW = 24 * 60 * 60 * 1000;

/** FB_Push_Details: stores feedback from an inpatient. */
export const recordFeedback =
  ({ clock, policy }: OperationDependencies) =>
  async (input: FB_Push_DetailsInput, { store, client }: CallContext): Promise<FeedbackReceipt> => {
    const ipno = nonBlank(input.ipno);
    if (ipno === undefined)
      throw new Refusal('InvalidInput', 'Parameter ipno: the inpatient number is required.', 'ipno');
    const feedback = {
      client,
      inpatientNumber: ipno,
      room: nonBlank(input.roomno) ?? null,
      mobile: nonBlank(input.moblieno) ?? null,
      department: nonBlank(input.dept) ?? null,
      comment: nonBlank(input.needsimprovementcommit) ?? null,
    };
    if ((feedback.room ?? feedback.mobile ?? feedback.department ?? feedback.comment) === null) {
      throw new Refusal(
        'InvalidInput',
        'At least one of the parameters roomno, moblieno, dept and needsimprovementcommit is required.',
        'needsimprovementcommit',
      );
    }
    return store.write(
      async (queries) => {
        const now = clock();
        const same = await queries.feedback.same(feedback, now - SAME_FEEDBACK_WINDOW);
        if (same !== undefined) {
          return receipt(ResultCode.Duplicate, 'The same feedback was received earlier.', same.id, same.receivedOn);
        }
        const id = await queries.feedback.insert({ ...feedback, receivedOn: now });
        return receipt(ResultCode.OK, 'The feedback was received.', id, now);
      },
      [feedbackKey(ipno)],
      () => feedback,
    );

    function receipt(resultCode: number, resultText: string, id: number, receivedOn: number): FeedbackReceipt {
      return {
        ResultCode: resultCode,
        ResultText: resultText,
        FeedbackID: id,
        ReceivedOn: wallSecondTextAt(receivedOn, policy.timeZone),
      };
    }
  };
