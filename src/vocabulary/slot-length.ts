/** Shortest and longest slot of a doctor, in minutes. The database refuses other lengths. Source: HL7 FHIR Slot. */
export const SHORTEST_SLOT_MINUTES = 5;
export const LONGEST_SLOT_MINUTES = 240;
