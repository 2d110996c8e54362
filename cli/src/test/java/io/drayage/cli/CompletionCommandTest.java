package io.drayage.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.drayage.testing.ProcessResult;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
final class CompletionCommandTest extends CommandFixture {
  @Test
  void bashCompletesCommandsAndOptions() throws Exception {
    assumeThat(new File("/bin/bash")).as("bash is needed").exists();
    Path script = Files.writeString(folder.resolve("completion"), said(0, "completion bash"));
    String asked =
        """
        source '%s'
        complete_words() {
          COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=()
          _complete_drayage 2> /dev/null # compopt works for the shell alone
          echo "${COMPREPLY[@]}"
        }
        complete_words drayage snap
        complete_words drayage cargo import --upd
        """
            .formatted(script);
    ProcessBuilder bash = new ProcessBuilder("/bin/bash", "--norc", "-c", asked);
    assertThat(ProcessResult.of(bash, 60).lines()).containsExactly("snapshot", "--updates");
  }

  @Test
  void zshLoadsWhatItNeeds() {
    exits(0, "completion", "zsh");
    assertThat(lines().get(0)).contains("compinit");
    exits(2, "completion", "fish");
  }
}
