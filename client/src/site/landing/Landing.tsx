import { DEFAULT_EVENT_TITLE } from '@garba/shared/constants'
import { useEffect } from 'react'
import { useConfig } from '../../platform/config.ts'
import { useLanguage } from '../../platform/language.ts'
import { usePageTitle } from '../../platform/page.ts'
import { refreshCurrentEvent, useCurrentEvent } from '../../platform/store/event.ts'
import { PageMain } from '../PageMain.tsx'
import { Splash } from '../splash/Splash.tsx'
import { usePrefetch } from '../usePrefetch.ts'
import { useWords } from '../words.ts'
import { factsOf } from './facts.ts'
import { Hero } from './Hero.tsx'
import { MoreOnItsWay } from './MoreOnItsWay.tsx'
import { useMore } from './useMore.ts'

/** SPEC 2 "Landing page". The hero is in the first load; everything below it loads afterwards. */
export const Landing = () => {
  const title = useConfig(({ config }) => config?.eventTitle ?? DEFAULT_EVENT_TITLE)
  const words = useWords()
  const language = useLanguage((store) => store.language)
  const current = useCurrentEvent((store) => store.current)
  const event = current.type === 'known' ? current.event : null
  const facts = factsOf({ event, words, language })
  const { more, fetchMore } = useMore()
  useEffect(() => void refreshCurrentEvent(), [])
  usePrefetch()
  usePageTitle(null)
  return (
    <>
      <PageMain>
        <Hero name={event?.name ?? title} facts={current.type === 'asking' ? null : facts} event={event} />
        {more.type === 'here' ? (
          <more.parts.Sections event={event} facts={facts} />
        ) : (
          <MoreOnItsWay failed={more.type === 'failed'} onRetry={fetchMore} />
        )}
      </PageMain>
      {more.type === 'here' ? <more.parts.Footer title={title} /> : null}
      <Splash title={title} />
    </>
  )
}
