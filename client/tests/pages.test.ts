import { SITE_PAGES } from '@garba/shared/contracts/site/pages'
import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { expect, onTestFinished, test, vi } from 'vitest'
import { SiteRoutes } from '../src/site/SiteRoutes.tsx'
import { en } from '../src/site/texts/en.ts'

/** The first drawing of a page; the splash asks whether motion is wanted, which no machine without a screen knows. */
function drawn(location: string): string {
  vi.stubGlobal('matchMedia', () => ({ matches: true }))
  onTestFinished(() => void vi.unstubAllGlobals())
  return renderToString(createElement(MemoryRouter, { initialEntries: [location] }, createElement(SiteRoutes)))
}

test.each(SITE_PAGES)('the router draws %s', (page) => {
  expect(drawn(page.replaceAll(':', ''))).not.toContain(en.screens.notFound.title)
})

test('the router answers any other address with the not-found page', () => {
  for (const path of ['/nowhere', '/privacy', '/scanner']) expect(drawn(path)).toContain(en.screens.notFound.title)
})
