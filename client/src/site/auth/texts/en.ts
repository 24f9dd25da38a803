/** The texts of the sheet with the other ways in, and of sign-in by mail. */
export const en = {
  /** `app` is an app's name; a browser that names none is "This app". */
  embedded: (app: string) => `${app} cannot sign you in with Google`,
  upi: (app: string) => `${app} may not open your UPI app`,
  popup: 'Google’s window did not open',
  mail: 'Sign in by email',
  thisApp: 'This app',
  detail: {
    embedded:
      'Google does not allow it in browsers that are part of an app. Continue in your own browser: your choice is kept.',
    upi: 'Continue in your own browser and pay there. You may have to sign in once more.',
    popup: 'Allow pop-ups for this site and try again, or use another way.',
    mail: 'No Google account is needed. We send you a link that signs you in.',
  },
  leave: 'Open in your browser',
  leaveIos: 'Open in Safari',
  byHand:
    'If that does not work: copy the link and paste it into your browser, or open this page’s menu and choose “Open in browser”.',
  again: 'Try again',
  upiAnyway: 'Open the UPI app from here',
  copy: 'Copy link',
  copied: 'Link copied. Paste it into your browser.',
  address: 'Link to this page',
  notCopied: 'Hold the link to copy it.',
  or: 'Or without Google',
  email: 'Email',
  send: 'Send sign-in link',
  sending: 'Sending...',
  sent: (email: string) =>
    `We have sent a link to ${email}. Open it in the browser where you want to be signed in. If it is not there in a few minutes, look in your spam folder.`,
  iosApp: 'On an iPhone the link opens in Safari and signs you in there, not in this app.',
  sentDemo: 'This is a demo: the email is on the admin’s page “Emails”.',
  tooMany: 'Too many links were requested. Use the newest email, or try again in an hour.',
  offline: 'There is no connection. Check your network and try again.',
  notSent: 'The link could not be sent. Please try again.',
  emailWrong: 'Please enter an email address',
  finish: 'Finish signing in',
  finishText: 'Enter the email address to which the link was sent.',
  finishing: 'Signing in...',
  signIn: 'Sign in',
  staysIn: (email: string) =>
    `You are signed in as ${email}. To use the link for another address, sign out first and open it again.`,
  dead: 'This link no longer works',
  used: 'A link works once, and this one was used already or is incomplete. We can send you a new one.',
  expired: 'This link has expired. We can send you a new one.',
  otherAddress: 'The link was sent to another address. Enter the one where you received it.',
  signOutOffline: {
    title: 'Sign out without a connection?',
    text: 'Your tickets are removed from this device, and you can only sign in again with a connection.',
    stay: 'Stay signed in',
  },
  failed: 'That did not work. Please try again.',
} as const
