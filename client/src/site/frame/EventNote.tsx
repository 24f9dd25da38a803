import { DEFAULT_TIMEZONE } from '@garba/shared/constants'
import { momentText, timeText } from '@garba/shared/messages/formats'
import { type Language, longDay } from '@garba/shared/messages/language'
import { useEffect } from 'react'
import { Banner } from '../../kit/Banner.tsx'
import { useConfig } from '../../platform/config.ts'
import { useLanguage } from '../../platform/language.ts'
import { refreshCurrentEvent, useCurrentEvent } from '../../platform/store/event.ts'
import styles from './EventNote.module.css'

const en = {
  delayed: (time: string) => `The event now starts at ${time}`,
  moved: (day: string, time: string) => `New date: ${day}, ${time}`,
  calledOff: 'The event is called off',
  valid: 'Your tickets stay valid, with the same codes.',
  free: (at: string) => `You can cancel until ${at} and get the full price back.`,
  money: 'Everyone gets everything back that they paid, the way they paid. Nobody needs to do anything.',
}
type Words = typeof en
const gu: Words = {
  delayed: (time: string) => `કાર્યક્રમ હવે ${time} વાગ્યે શરૂ થશે`,
  moved: (day: string, time: string) => `નવી તારીખ: ${day}, ${time}`,
  calledOff: 'કાર્યક્રમ રદ થયો છે',
  valid: 'તમારી ટિકિટો એ જ કોડ સાથે માન્ય રહેશે.',
  free: (at: string) => `${at} સુધી રદ કરીને પૂરી કિંમત પાછી મેળવી શકો છો.`,
  money: 'ચૂકવેલી પૂરી રકમ જે રીતે ચૂકવી હતી તે જ રીતે સૌને પાછી મળશે. કોઈએ કંઈ કરવાની જરૂર નથી.',
}
const hi: Words = {
  delayed: (time: string) => `कार्यक्रम अब ${time} पर शुरू होगा`,
  moved: (day: string, time: string) => `नई तारीख: ${day}, ${time}`,
  calledOff: 'कार्यक्रम रद्द हो गया है',
  valid: 'आपके टिकट उन्हीं कोड के साथ मान्य रहेंगे।',
  free: (at: string) => `${at} तक रद्द करके पूरी कीमत वापस पा सकते हैं।`,
  money: 'सभी को चुकाई गई पूरी रकम उसी तरीके से वापस मिलेगी जिससे चुकाई थी। किसी को कुछ करने की ज़रूरत नहीं।',
}
const WORDS: Readonly<Record<Language, Words>> = { en, gu, hi }

const REREAD_MS = 60_000

/** What the organiser says of the event, on every page of guests; without a network, what this device heard last. */
export default function EventNote() {
  const event = useCurrentEvent(({ current }) => (current.type === 'known' ? current.event : null))
  useEffect(() => {
    void refreshCurrentEvent()
    const timer = setInterval(refreshCurrentEvent, REREAD_MS)
    return () => clearInterval(timer)
  }, [])
  const language = useLanguage((store) => store.language)
  const timeZone = useConfig(({ config }) => config?.timezone ?? DEFAULT_TIMEZONE)
  const words = WORDS[language]
  if (event === null) return null
  const { state = 'on', stateReason, date, freeCancelUntil } = event
  if (state === 'on') return null
  const time = timeText(event.startTime, language)
  const titles = {
    delayed: words.delayed(time),
    moved: words.moved(longDay(date, language), time),
    calledOff: words.calledOff,
  }
  return (
    <Banner
      tone={state === 'calledOff' ? 'bad' : 'warn'}
      live="status"
      className={styles.note ?? ''}
      title={titles[state]}
    >
      {stateReason ? <p>{stateReason}</p> : null}
      <p>{state === 'calledOff' ? words.money : words.valid}</p>
      {state === 'moved' && freeCancelUntil ? (
        <p>{words.free(momentText(freeCancelUntil, { language, timeZone }))}</p>
      ) : null}
    </Banner>
  )
}
