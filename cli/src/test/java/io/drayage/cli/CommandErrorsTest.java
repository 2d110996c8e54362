package io.drayage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.tables.TableException;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

final class CommandErrorsTest {
  /** An exception of a codec or committer that a user wrote, in a package below ours. */
  private static final class OfAUser extends Exception {
    private static final long serialVersionUID = 1;
  }

  private static String failed(Exception e) {
    StringWriter err = new StringWriter();
    CommandLine command = Drayage.commandLine().setErr(new PrintWriter(err));
    assertThat(CommandErrors.failed(e, command)).isEqualTo(CommandLine.ExitCode.SOFTWARE);
    return err.toString();
  }

  @Test
  void onlyAMessageForUsersIsPrintedAlone() {
    assertThat(failed(new TableException("table 't' is empty")))
        .isEqualTo("drayage: table 't' is empty%n".formatted());
    assertThat(failed(new OfAUser())).startsWith("drayage: internal error").contains("OfAUser");
  }
}
