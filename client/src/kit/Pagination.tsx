import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useId } from 'react'
import { Button } from './Button.tsx'
import styles from './Pagination.module.css'

interface PaginationProps {
  /** The list's name for screen readers: "Users". */
  label: string
  /** Pages count from 1. */
  page: number
  pages: number
  onPage: (page: number) => void
  /** A text on the left: "1-20 of 5,000". */
  summary?: string
}

export const Pagination = ({ label, page, pages, onPage, summary }: PaginationProps) => (
  <nav className={styles.nav} aria-label={`${label} pages`}>
    <p className={styles.summary}>{summary}</p>
    <div className={styles.steps}>
      <Button
        size="sm"
        tone={page <= 1 ? 'ghost' : 'secondary'}
        icon={<ChevronLeft aria-hidden="true" />}
        disabled={page <= 1}
        onClick={() => onPage(page - 1)}
      >
        Previous
      </Button>
      <p className={styles.place} aria-live="polite">
        Page {page} of {Math.max(1, pages)}
      </p>
      <Button
        size="sm"
        tone={page >= pages ? 'ghost' : 'secondary'}
        iconAfter={<ChevronRight aria-hidden="true" />}
        disabled={page >= pages}
        onClick={() => onPage(page + 1)}
      >
        Next
      </Button>
      {pages > 2 ? <GoToPage pages={pages} onPage={onPage} /> : null}
    </div>
  </nav>
)

/** Enter opens the page; a number beyond the last opens the last. */
const GoToPage = ({ pages, onPage }: Pick<PaginationProps, 'pages' | 'onPage'>) => {
  const id = useId()
  return (
    <form
      className={styles.go}
      onSubmit={(event) => {
        event.preventDefault()
        const wanted = Math.trunc(Number(new FormData(event.currentTarget).get('page')))
        event.currentTarget.reset()
        if (wanted >= 1) onPage(Math.min(wanted, pages))
      }}
    >
      <label htmlFor={id}>Go to page</label>
      <input
        id={id}
        name="page"
        className={styles.page}
        inputMode="numeric"
        pattern="[0-9]*"
        maxLength={6}
        autoComplete="off"
        enterKeyHint="go"
      />
    </form>
  )
}
