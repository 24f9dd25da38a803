import type { PageData } from '@garba/shared/contracts/site/site'
import { isLanguage } from '@garba/shared/messages/language'
import { prerenderToNodeStream } from 'react-dom/static'
import { ErrorBoundary } from 'react-error-boundary'
import { StaticRouter } from 'react-router'
import { loadWords } from '../platform/language.ts'
import { renderFrom } from '../platform/pageData.ts'
import { CrashScreen } from './frame/Notice.tsx'
import { SiteRoutes } from './SiteRoutes.tsx'

let last: Promise<unknown> = Promise.resolve()

/**
 * The HTML inside #root for one page of the site. Built as a separate module that the server loads. Pages are rendered one at
 * a time because they share the stores. Rejects when a component throws.
 */
export function renderSitePage(path: string, data: PageData): Promise<string> {
  const page = last.then(() => renderPage(path, data))
  last = page.catch(() => undefined)
  return page
}

async function renderPage(path: string, data: PageData): Promise<string> {
  renderFrom(data)
  await loadWords(isLanguage(data.language) ? data.language : 'en')
  let failure: { error: unknown } | undefined
  const { prelude } = await prerenderToNodeStream(
    <ErrorBoundary FallbackComponent={CrashScreen}>
      <StaticRouter location={path}>
        <SiteRoutes />
      </StaticRouter>
    </ErrorBoundary>,
    {
      // Larger parts would come last, with a script in the page that its security policy forbids.
      progressiveChunkSize: Number.POSITIVE_INFINITY,
      onError: (error) => {
        failure ??= { error }
      },
    },
  )
  if (failure) throw failure.error
  return readStreamText(prelude)
}

async function readStreamText(stream: NodeJS.ReadableStream): Promise<string> {
  const parts: string[] = []
  stream.setEncoding('utf8')
  for await (const part of stream) parts.push(String(part))
  return parts.join('')
}
