/** What is said when signing in fails: in the banner, and beside the sign-in button (SPEC 8, Sign-in). */
export const SIGN_IN = {
  failed: 'Sign-in failed. Please try again.',
  cancelled: 'Sign-in was cancelled.',
  popupBlocked: 'Pop-up was blocked. Please allow pop-ups for this site.',
  occurred: 'Authentication error occurred.',
  bannerTitle: 'Authentication Error',
  button: {
    cancelled: 'Sign-in cancelled. Please try again.',
    popupBlocked: 'Pop-up blocked. Please allow pop-ups and try again.',
    network: 'Network error. Please check your connection.',
    tooManyAttempts: 'Too many attempts. Please wait and try again.',
    failed: 'Authentication failed. Please try again.',
  },
  /** Our own, in the banner and at the button alike: the account itself has to change first. */
  refused: {
    emailUnverified: 'Your email address is not verified. Verify it with Google, then sign in again.',
    notGoogle: 'Please sign in with a Google account.',
  },
} as const
