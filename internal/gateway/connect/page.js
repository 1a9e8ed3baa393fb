// Sends what the user does on this page as JSON, which no page of another site can send.
const base = new URL('.', document.currentScript.src)
const problem = document.getElementById('problem')

async function send(what, body) {
  problem.textContent = ''
  const response = await fetch(new URL(what, base), {
    method: 'POST', headers: {'Content-Type': 'application/json'}, body: JSON.stringify(body)})
  const text = await response.text()
  if (!response.ok) throw new Error(text || 'HTTP ' + response.status)
  return text ? JSON.parse(text) : {}
}

async function act(what, body) {
  try {
    const answer = await send(what, body)
    if (answer.url) location.assign(answer.url)
    else location.reload()
  } catch (error) {
    problem.textContent = error.message
  }
}

document.getElementById('signin')?.addEventListener('submit', event => {
  event.preventDefault()
  act('signin', {token: new FormData(event.target).get('token')})
})
document.getElementById('issuer')?.addEventListener('click', () => act('issuer', {return: location.search}))
document.getElementById('signout')?.addEventListener('click', () => act('signout', {}))
for (const button of document.querySelectorAll('button[data-do]')) {
  button.addEventListener('click', () => act(button.dataset.do, {server: button.dataset.server,
    gateway: button.dataset.gateway === 'true', scopes: (button.dataset.scopes || '').split(' ').filter(Boolean)}))
}
