/**
 * Whom a search is for: the values that the operator has named as this patient's, and individual records to include.
 *
 * Nothing in the database identifies a person. An appointment has a name, a phone that a family may share, and a registration number that
 * is valid within one center and may be missing, mistyped or made up. A message has only a phone. Feedback has an inpatient number, and a phone
 * as somebody typed it. Hence the rules:
 *
 * 1. Appointments belong to one person if they match in number, name, phone, center and sex. If those found differ in any of these, the
 *    operator must name each value that is this patient's. The values that are named restrict the search.
 * 2. An appointment without a number belongs to the number that has the same name and phone; it never connects two numbers. The same
 *    applies to one without a sex.
 * 3. A phone's messages and feedback belong to the person if nobody else has the phone: no other appointment has it, and its feedback has
 *    only one inpatient number. If inpatient numbers are named, the person's feedback is exactly that with these numbers.
 * 4. What was left out when somebody was erased stays unclear: now that the other person's records are gone, it would seem to belong to
 *    whoever is left.
 * 5. What is unclear is reported, but neither exported nor erased unless the operator includes it.
 */
export interface PersonSearch {
  /** As `registrationKey` writes them. Without these and without phones, appointments are not searched. */
  readonly registrationKeys: ReadonlySet<string>;
  /** E.164. */
  readonly phones: ReadonlySet<string>;
  /** As `nameKey` writes them; empty for all. */
  readonly nameKeys: ReadonlySet<string>;
  /** Empty for all. */
  readonly centerIds: ReadonlySet<number>;
  /** M, F and O; empty for all. */
  readonly sexes: ReadonlySet<string>;
  /** As `inPatientKey` writes them. */
  readonly inPatientKeys: ReadonlySet<string>;
  /** Unclear records that are the person's, by their `recordName`. */
  readonly included: ReadonlySet<string>;
  /** Everything that was sent to the person's phones, or contains one of them, is theirs, even if others have these phones. */
  readonly sharedPhone: boolean;
}
