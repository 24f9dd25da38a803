import type { EventState } from '@garba/shared/contracts/names'
import { plainName } from '@garba/shared/contracts/people/personName'
import { timeText } from '@garba/shared/messages/formats'
import { type Language, longDay, type Translation } from '@garba/shared/messages/language'
import { truncateText } from '@garba/shared/rules/search'

const en = {
  paid: 'Your payment has arrived. Your tickets are ready.',
  delayed: (time: string) => `It now starts at ${time}.`,
  moved: (day: string, time: string) => `It now takes place on ${day}, ${time}. Your tickets stay valid.`,
  calledOff: 'It is called off. Open My Tickets to see your refund.',
  gateOpen: (venue: string) => `Entry begins now at ${venue}. Have your code ready.`,
}

const gu = {
  paid: 'તમારી ચુકવણી મળી ગઈ છે. તમારી ટિકિટ તૈયાર છે.',
  delayed: (time) => `હવે ${time} વાગ્યે શરૂ થશે.`,
  moved: (day, time) => `હવે ${day}, ${time} વાગ્યે યોજાશે. તમારી ટિકિટ માન્ય રહેશે.`,
  calledOff: 'કાર્યક્રમ રદ થયો છે. રિફંડ જોવા માટે મારી ટિકિટ ખોલો.',
  gateOpen: (venue) => `${venue} ખાતે પ્રવેશ હવે શરૂ થાય છે. તમારો કોડ તૈયાર રાખો.`,
} satisfies Translation<typeof en>

const hi = {
  paid: 'आपका भुगतान मिल गया है। आपके टिकट तैयार हैं।',
  delayed: (time) => `अब ${time} बजे शुरू होगा।`,
  moved: (day, time) => `अब ${day}, ${time} बजे होगा। आपके टिकट मान्य रहेंगे।`,
  calledOff: 'कार्यक्रम रद्द हो गया है। रिफ़ंड देखने के लिए मेरे टिकट खोलें।',
  gateOpen: (venue) => `${venue} पर प्रवेश अब शुरू हो रहा है। अपना कोड तैयार रखें।`,
} satisfies Translation<typeof en>

const WORDS: Readonly<Record<Language, Translation<typeof en>>> = { en, gu, hi }

export type PushNews = { what: 'paid' | 'calledOff' | 'gateOpen' } | { what: 'changed'; words: string }

interface NotifiedEvent {
  name: string
  venue: string
  /** 'YYYY-MM-DD' and 'HH:MM' in the event's time zone. */
  date: string
  startTime: string
  state: EventState
}

/** A message must fit into 4,096 encrypted bytes, in any script. */
const BODY_MAX = 400

/**
 * The message of a notification. Browsers with declarative Web Push show it themselves; in others the site's worker does.
 * It names no person, order or ticket.
 */
export function buildNotification(
  news: PushNews,
  event: NotifiedEvent,
  { language, url, topic }: { language: Language; url: string; topic: string },
): string {
  return JSON.stringify({
    web_push: 8030,
    notification: {
      title: plainName(event.name),
      body: truncateText(BODY_MAX, describeNews(news, event, language)),
      navigate: `${url}/dashboard/guest`,
      lang: language,
      dir: 'ltr',
      tag: topic,
      icon: `${url}/icons/guest-192.png`,
    },
  })
}

function describeNews(news: PushNews, event: NotifiedEvent, language: Language): string {
  const words = WORDS[language]
  const start = timeText(event.startTime, language)
  switch (news.what) {
    case 'paid':
    case 'calledOff':
      return words[news.what]
    case 'gateOpen':
      return words.gateOpen(event.venue)
    case 'changed': {
      const change =
        event.state === 'delayed'
          ? [words.delayed(start)]
          : event.state === 'moved'
            ? [words.moved(longDay(event.date, language), start)]
            : []
      return [...change, news.words].join(' ')
    }
  }
}
