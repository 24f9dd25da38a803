/** What is said at the fields of the smaller forms and bodies; the event form's words are in eventForm.ts. */
export const VALIDATION = {
  quantity: 'Quantity must be a whole number of at least 1',
  quantityAbove: (max: number) => `One order can hold at most ${max === 1 ? '1 ticket' : `${max} tickets`}`,
  displayName: 'Name must have 1 to 80 characters',
  photoURL: 'Photo must be an https address',
  /** Where a field has no sentence of its own. */
  missing: 'This field is required',
  unusable: 'This field is not valid',
} as const
