import { Link } from 'react-router'
import { useConfig } from '../../../platform/config.ts'
import styles from './Footer.module.css'
import { useSectionWords } from './words.ts'

/** SPEC 2: policy links, links that scroll, a mail to the organiser, and the socials. */
export const Footer = ({ title }: { title: string }) => {
  const { footer } = useSectionWords()
  const support = useConfig(({ config }) => config?.supportEmail ?? '')
  const instagram = useConfig(({ config }) => config?.instagramUrl ?? '')
  return (
    <footer className={styles.footer}>
      <div className={styles.columns}>
        <div className={styles.brand}>
          <p className={styles.title}>{title}</p>
          <p>{footer.closing}</p>
        </div>
        <nav aria-labelledby="footer-quick">
          <h2 id="footer-quick" className={styles.heading}>
            {footer.quickLinks}
          </h2>
          <ul className={styles.links}>
            <li>
              <ScrollLink to="about">{footer.about}</ScrollLink>
            </li>
            <li>
              <ScrollLink to="faq">{footer.faq}</ScrollLink>
            </li>
          </ul>
        </nav>
        <nav aria-labelledby="footer-policies">
          <h2 id="footer-policies" className={styles.heading}>
            {footer.policies}
          </h2>
          <ul className={styles.links}>
            <li>
              <Link to="/privacy-policy">{footer.privacy}</Link>
            </li>
            <li>
              <Link to="/cancellation-policy">{footer.cancellation}</Link>
            </li>
            <li>
              <Link to="/refund-policy">{footer.refund}</Link>
            </li>
            <li>
              <Link to="/terms-of-service">{footer.terms}</Link>
            </li>
          </ul>
        </nav>
        <div>
          <h2 className={styles.heading}>{footer.contactHeading}</h2>
          <ul className={styles.links}>
            {support === '' ? null : (
              <li>
                <a href={`mailto:${support}?subject=${encodeURIComponent(footer.mailSubject(title))}`}>
                  {footer.contact}
                </a>
              </li>
            )}
            {instagram === '' ? null : (
              <li>
                <a href={instagram} target="_blank" rel="noopener noreferrer">
                  {footer.instagram}
                </a>
              </li>
            )}
            <li className={styles.soon}>
              {footer.facebook} ({footer.soon})
            </li>
          </ul>
        </div>
      </div>
    </footer>
  )
}

/** Goes to a section of this page and takes the focus along. */
const ScrollLink = ({ to, children }: { to: string; children: string }) => (
  <a
    href={`#${to}`}
    onClick={(event) => {
      event.preventDefault()
      const section = document.getElementById(to)
      section?.scrollIntoView()
      section?.focus({ preventScroll: true })
    }}
  >
    {children}
  </a>
)
