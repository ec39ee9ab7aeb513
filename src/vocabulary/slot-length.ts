/** Bounds of a doctor's slot in minutes. The database refuses others. Source: HL7 FHIR Slot. */
export const SHORTEST_SLOT_MINUTES = 5;
export const LONGEST_SLOT_MINUTES = 240;
