import { formatCount } from '@garba/shared/messages/language'

export const en = {
  title: 'Tickets from a link',
  explained: 'They work at the gate without a network and without an account.',
  explainedIos:
    'They work at the gate without a network and without an account. This browser removes them after 7 days without a visit: keep the message with the link, and open it again in the days before the event.',
  envelope: (from: string | null, day: string) =>
    from === null ? `You are going to garba, ${day}` : `${from} is taking you to garba, ${day}`,
  opening: 'Opening the tickets...',
  show: 'Show at gate',
  showCode: 'Show the code',
  status: { active: 'Ready for Entry', used: 'Entry Completed', cancelled: 'Cancelled' },
  savedHere: (ago: string) => `Saved on this device ${ago}. The codes work at the gate without a network.`,
  notKept: 'This browser does not let us keep the tickets for offline use. Take a screenshot to be safe.',
  embedded:
    'This browser is part of an app and may not open these tickets without a network. Choose “Open in browser” in its menu to have them in your own browser.',
  offlineFirst: 'You are offline. The tickets will open here as soon as the connection is back.',
  over: (event: string) => `${event} is over. Its tickets are no longer shown here.`,
  remove: 'Remove from this device',
  removal: {
    title: 'Remove these tickets?',
    text: 'They will be removed from this device. To open them here again, you need the link.',
    keep: 'Keep them',
  },
  none: 'No tickets from a link',
  noneDetail: 'Open a link to tickets on this device, and they stay here.',
  home: 'Go to the home page',
  offer: {
    text: (n: number) =>
      `The first person to sign in here can keep ${n === 1 ? 'this ticket in their account, and cancel, rename or send it' : 'these tickets in their account, and cancel, rename or send them'}.`,
    keep: 'Keep in my account',
    signIn: 'Sign in and keep',
    done: 'Kept in your account.',
    failed: (reason: string) => `The tickets were not moved: ${reason}`,
  },
  share: {
    action: 'Send to a friend',
    title: (last8: string) => `Send ticket ${last8}`,
    text: 'Your friend opens the link and has the ticket on their phone, without an account. They cannot cancel it or see your order.',
    titleOf: (n: number) => `Send ${formatCount(n)} tickets`,
    also: 'More tickets in the same link',
    transfer:
      'Tickets are non-transferable: sending lets your friend come with you on your ticket. It stays yours, and nobody may resell it.',
    send: 'Send the link',
    copy: 'Copy a link',
    copied: 'Link copied',
    message: (event: string) => `Your ticket for ${event}`,
    failed: (reason: string) => `The link could not be made: ${reason}`,
    notSent: 'The link could not be sent or copied.',
    links: 'Links to this ticket',
    ofMail: 'From the email or the counter',
    ofShare: 'Sent by you',
    devices: (n: number) => (n === 1 ? 'Opened on 1 device' : `Opened on ${formatCount(n)} devices`),
    end: 'End link',
    endOf: (date: string) => `End the link of ${date}`,
    endedHint: 'A picture of the code still works. If somebody has one, ask for a new code.',
    over: 'Ended',
    listFailed: (reason: string) => `The links could not be loaded: ${reason}`,
  },
  newCode: {
    action: 'New code',
    title: 'Someone else has a picture of this?',
    text: (last8: string) =>
      `Ticket ${last8} gets a new code, and the old one no longer lets anybody in. Phones that opened the ticket by a link get the new code; end a link first if it went to the wrong person.`,
    left: (n: number) => (n === 1 ? 'This can be done 1 more time.' : `This can be done ${n} more times.`),
    make: 'Get a new code',
    making: 'Getting a new code...',
    done: 'The ticket has a new code.',
    failed: (reason: string) => `The code was not replaced: ${reason}`,
    keep: 'Keep the code',
  },
} as const
