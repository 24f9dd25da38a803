/** The words of sign-in and of the frame around the pages that are told in English alone (SPEC 2). */
export const SHELL = {
  signInWithGoogle: 'Sign In with Google',
  signOut: 'Sign Out',
  demo: {
    note: 'This is a demo: no payment is taken and no ticket is real.',
    title: 'Choose a demo account',
    detail: 'This site runs as a demo. No Google account and no password is needed.',
    another: 'Another account',
    name: 'Name',
    email: 'Email',
    nameRequired: 'Please enter a name',
    emailInvalid: 'Please enter an email address',
    use: 'Continue',
    back: 'Back',
  },
  scanner: {
    title: 'QR Checker Dashboard',
    subtitle: 'Auto Entry Verification Station',
    signInFirst: 'Sign in with your checker account to scan tickets.',
    wrongRole: 'This account cannot scan',
    wrongRoleDetail: (role: string) =>
      `You are signed in as ${role}. Ask an admin for the QR Checker role, or sign in with another account.`,
  },
} as const
