// Client: starts `lusoria lsp` and lets it answer for the rules files that the editor shows.

const vscode = require('vscode');
const { LanguageClient, TransportKind } = require('vscode-languageclient/node');

let client;

async function start() {
  const command = vscode.workspace.getConfiguration('lusoria').get('path') || 'lusoria';
  const run = { command, args: ['lsp'], transport: TransportKind.stdio };
  const options = { documentSelector: [{ language: 'lusoria' }] };
  client = new LanguageClient('lusoria', 'Lusoria', { run, debug: run }, options);
  try {
    await client.start();
  } catch (error) {
    client = undefined;
    const settings = 'Settings';
    const text = `Lusoria cannot be started as \`${command}\`: ${error.message || error}`;
    if ((await vscode.window.showErrorMessage(text, settings)) === settings) {
      await vscode.commands.executeCommand('workbench.action.openSettings', 'lusoria.path');
    }
  }
}

async function stop() {
  const running = client;
  client = undefined;
  if (running) await running.stop();
}

async function restart() {
  await stop();
  await start();
}

exports.activate = async (context) => {
  context.subscriptions.push(vscode.commands.registerCommand('lusoria.restart', restart));
  context.subscriptions.push(
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration('lusoria.path')) restart();
    }),
  );
  await start();
};

exports.deactivate = stop;
