declare global {
  interface ImportMetaEnv {
    readonly APP_VERSION?: string
  }
}

/** The version of this page's build, such as "1.0.0+4f9c2ab"; the server that serves it has the same. */
export const APP_VERSION: string = import.meta.env.APP_VERSION ?? ''
