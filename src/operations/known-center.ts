import type { Center } from '../store/queries/reference-queries.ts';
import type { Queries } from '../store/store.ts';
import { Refusal } from '../vocabulary/result-codes.ts';

/** The center, or Refusal UnknownCenter. */
export async function knownCenter({ reference }: Queries, centerId: number): Promise<Center> {
  const center = await reference.center(centerId);
  if (center === undefined) throw unknownCenter(centerId);
  return center;
}

/** Refusal UnknownCenter. */
export const unknownCenter = (centerId: number): Refusal =>
  new Refusal('UnknownCenter', `Parameter centerid: there is no center ${centerId}.`, 'centerid');
