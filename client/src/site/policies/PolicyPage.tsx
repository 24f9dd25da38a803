import { POLICY_PAGES, type Policy } from '@garba/shared/contracts/site/pages'
import { POLICY_FACTS, POLICY_TITLES } from '@garba/shared/messages/policies'
import { ArrowLeft } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { Link } from 'react-router'
import { ButtonLink } from '../../kit/ButtonLink.tsx'
import { cx } from '../../kit/cx.ts'
import { Surface } from '../../kit/Surface.tsx'
import { useConfig } from '../../platform/config.ts'
import { makeWords, useLanguage } from '../../platform/language.ts'
import { usePageTitle } from '../../platform/page.ts'
import styles from './PolicyPage.module.css'
import { en, type PolicyText } from './texts/en.ts'
import { POLICY_FRAME } from './texts/frame.ts'

const POLICIES = Object.keys(POLICY_PAGES) as Policy[]

/** The privacy policy has no version number. */
const VERSIONS: Readonly<Partial<Record<Policy, string>>> = POLICY_FACTS.versions

export const PolicyPage = ({ policy }: { policy: Policy }) => {
  const language = useLanguage((store) => store.language)
  const words = POLICY_FRAME[language]
  const titles = POLICY_TITLES[language]
  const texts = usePolicyWords()
  const text: PolicyText = texts[policy]
  const version = VERSIONS[policy]
  usePageTitle(titles[policy])
  const back = (
    <ButtonLink to="/" icon={<ArrowLeft />} className={styles.back}>
      {words.backToHome}
    </ButtonLink>
  )
  return (
    <div className={styles.page}>
      {back}
      <Surface tone="paper">
        <article className={styles.sheet}>
          <BandhaniDivider className={styles.border} />
          <header>
            <h1 className={styles.title}>{titles[policy]}</h1>
            {version === undefined ? null : <p className={styles.version}>{words.version(version)}</p>}
          </header>
          {texts.language === 'en' ? null : <p className={styles.binding}>{words.binding}</p>}
          <div lang={texts.language}>
            <p className={styles.intro}>{text.intro}</p>
            {text.sections.map((section) => (
              <Part key={section.title} {...section} />
            ))}
          </div>
          <Contact title={words.contact} writeTo={words.writeTo}>
            <p lang={texts.language}>{texts.support}</p>
          </Contact>
        </article>
      </Surface>
      <nav aria-label={words.others} className={styles.others}>
        {POLICIES.filter((other) => other !== policy).map((other) => (
          <Link key={other} to={POLICY_PAGES[other]}>
            {titles[other]}
          </Link>
        ))}
      </nav>
      {back}
    </div>
  )
}

const Part = ({ title, body }: PolicyText['sections'][number]) => (
  <section className={styles.part}>
    <h2>{title}</h2>
    {body.map((paragraph) =>
      typeof paragraph === 'string' ? (
        <p key={paragraph}>{paragraph}</p>
      ) : (
        <ul key={paragraph[0]}>
          {paragraph.map((item) => (
            <li key={item}>{item}</li>
          ))}
        </ul>
      ),
    )}
  </section>
)

const Contact = ({ title, writeTo, children }: { title: string; writeTo: string; children: ReactNode }) => {
  const support = useConfig(({ config }) => config?.supportEmail ?? '')
  return (
    <section className={styles.part}>
      <h2>{title}</h2>
      {children}
      {support === '' ? null : (
        <p>
          {writeTo} <a href={`mailto:${support}`}>{support}</a>
        </p>
      )}
    </section>
  )
}

const usePolicyWords = makeWords<typeof en>(en, {
  gu: async () => (await import('./texts/gu.ts')).gu,
  hi: async () => (await import('./texts/hi.ts')).hi,
})

const BandhaniDivider = ({ className }: { className?: string | undefined }) => {
  const id = useId()
  return (
    <svg className={cx(styles.divider, className)} width="100%" height="32" aria-hidden="true">
      <defs>
        <pattern id={id} width="48" height="32" patternUnits="userSpaceOnUse">
          <g className={styles.tied}>
            <circle cx="24" cy="16" r="2.6" />
            <circle cx="24" cy="7" r="1.7" />
            <circle cx="24" cy="25" r="1.7" />
            <circle cx="15" cy="16" r="1.7" />
            <circle cx="33" cy="16" r="1.7" />
          </g>
          <g className={styles.grain}>
            <circle cx="18.5" cy="10.5" r="1.1" />
            <circle cx="29.5" cy="10.5" r="1.1" />
            <circle cx="18.5" cy="21.5" r="1.1" />
            <circle cx="29.5" cy="21.5" r="1.1" />
          </g>
          <g className={styles.thread}>
            <circle cx="0" cy="16" r="1.5" />
            <circle cx="48" cy="16" r="1.5" />
            <circle cx="6.5" cy="16" r="0.8" />
            <circle cx="41.5" cy="16" r="0.8" />
          </g>
        </pattern>
      </defs>
      <rect width="100%" height="32" fill={`url(#${id})`} />
    </svg>
  )
}
