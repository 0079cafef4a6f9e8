import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { CALLBACK, startAuthorizing, type AuthorizingService } from '../../harness/identity/authorization.ts'
import { register } from './register.ts'

let service: AuthorizingService
before(async () => {
  service = await startAuthorizing()
})
after(() => service.stop())

describe('a redirect URI with an app scheme', () => {
  const OF_APPS = [
    'com.example.fieldhand:/callback',
    'cursor://anysphere.cursor-mcp/oauth/callback',
    'vscode://vscode.github-authentication/did-authenticate',
    'vscode-insiders://callout.example/callback',
    'claude://oauth/callback',
    'msal0f3c:/auth',
    'msauth.com.example.app://auth',
    'msteams://auth',
    'zed://mcp/oauth',
    'x-fieldhand://callback',
    'chromeless:/cb',
    'searchlight:/cb',
    'edgewise://cb',
    'steam-helper:/cb',
    'org.smb.client:/cb',
  ]
  for (const uri of OF_APPS) {
    it(`is accepted: ${uri}`, async () => {
      const { status, body } = await register(service, { redirect_uris: [uri] })
      assert.deepEqual([status, body['redirect_uris']], [201, [uri]])
    })
  }
})

describe('invalid_redirect_uri', () => {
  const HOSTILE = [
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'vbscript:x',
    'blob:https://a.example/1',
    'about:blank',
    'https://a.example/cb#fragment',
    'https://a.example/cb#',
    'https://user@a.example/cb',
    'https://user:pass@a.example/cb',
    'https://@a.example/cb',
    'https://*.example/cb',
    'https://*/cb',
    'urn:ietf:wg:oauth:2.0:oob',
    'urn:ietf:wg:oauth:2.0:oob:auto',
    'http://a.example/cb',
    'http://127.0.0.1.a.example/cb',
    'http://localhost.a.example/',
    'http://127.0.0.2/cb',
    'http://0.0.0.0/cb',
    'http://[::ffff:127.0.0.1]/cb',
    '/relative',
    'relative',
    '',
    ' https://a.example/',
    'https://a.example/ ',
    'https://a.example/\ncb',
    'https://a.example\\@b.example/',
    'https://a.example/a/../b',
    'https://a.example/%2e%2e/b',
    'https:a.example',
    'https:///a.example/cb',
    'https://ä.example/',
    'ws://a.example',
    'mailto:a@b.example',
    `https://a.example/${'x'.repeat(2_000)}`,
    '//a.example/cb',
    'com.example.app://user@host/cb',
    'smb://a.example/share',
    'SMB://a.example/share',
    'ssh://a.example',
    'ldap://a.example/cn=x',
    'intent://a.example/',
    'ms-msdt:/id',
    'ms-settings:privacy',
    'ms-officecmd:x',
    'search-ms:query=x',
    'search:query=x',
    'shell:startup',
    'chrome://settings',
    'jar:https://a.example/x.jar!/',
    'market://details?id=x',
    'view-source:https://a.example/',
    'ftp://a.example/x',
    'sftp://a.example/x',
    'telnet://a.example',
    'tel:+15125550143',
    'sms:+15125550143',
    'geo:1,2',
    'rdp://a.example',
    'vnc://a.example',
    'afp://a.example/x',
    'itms-services://?action=download-manifest',
    'x-apple.systempreferences:com.apple.preference',
    'resource://x/y',
    'edge://settings',
  ]
  for (const uri of HOSTILE) {
    it(`is returned for ${uri.slice(0, 60) || 'an empty one'}`, async () => {
      const { status, body } = await register(service, { redirect_uris: [CALLBACK, uri] })
      assert.deepEqual([status, body['error']], [400, 'invalid_redirect_uri'])
    })
  }

  it("is returned for no URI, more than ten, and values that aren't strings", async () => {
    for (const uris of [
      undefined,
      [],
      Array.from({ length: 11 }, (_, i) => `https://a.example/${i}`),
      'https://a.example',
      [7],
      [null],
      { 0: CALLBACK },
    ]) {
      const { status, body } = await register(service, { redirect_uris: uris })
      assert.deepEqual([status, body['error']], [400, 'invalid_redirect_uri'], JSON.stringify(uris))
    }
  })
})
