package io.drayage.cli;

import java.io.PrintWriter;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code drayage completion}. */
@Command(
    name = "completion",
    mixinStandardHelpOptions = true,
    description = {"Prints a script that completes commands and options in a shell.", ""},
    footer = {
      "",
      "Examples:",
      "  source <(drayage completion bash)",
      "  source <(drayage completion zsh)"
    })
final class CompletionCommand implements Runnable {
  enum Shell {
    BASH,
    ZSH
  }

  @Parameters(paramLabel = "SHELL", description = "${COMPLETION-CANDIDATES}, in any case.")
  private Shell shell = Shell.BASH;

  @Spec private CommandSpec spec;

  @Override
  public void run() {
    PrintWriter out = spec.commandLine().getOut();
    if (shell == Shell.ZSH) {
      out.println("autoload -U +X compinit && compinit"); // bashcompinit needs compinit.
    }
    // The script loads zsh's bashcompinit if zsh reads it.
    out.print(AutoComplete.bash("drayage", spec.root().commandLine()));
    out.flush();
  }
}
