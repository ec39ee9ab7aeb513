// Adds a copy button to every block of code. Without this script there is no button, and the text can be selected.
for (const block of document.querySelectorAll('.code')) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = 'Copy';
  button.setAttribute('aria-label', `Copy ${block.dataset.label}`);
  button.addEventListener('click', async () => {
    const copied = await copy(block.querySelector('pre'));
    button.textContent = copied ? 'Copied' : 'Selected';
    setTimeout(() => {
      button.textContent = 'Copy';
    }, 2000);
  });
  block.append(button);
}

/** Copies the text. If the browser forbids that, for example over plain HTTP, selects the text and returns false. */
async function copy(element) {
  try {
    await navigator.clipboard.writeText(element.textContent);
    return true;
  } catch {
    getSelection().selectAllChildren(element);
    return document.execCommand('copy');
  }
}
