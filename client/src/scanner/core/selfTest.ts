/** What the app's own test code says. It is no ticket's form, so it can open no door. */
export const SELF_TEST_TEXT = 'GARBA SCANNER SELF TEST'
