package io.drayage.cli;

import static java.util.stream.Collectors.joining;

import io.drayage.cargo.Names;
import io.drayage.cli.output.OutputException;
import io.drayage.frame.Fault;
import io.drayage.frame.MessageForUsers;
import io.drayage.frame.ShipmentException;
import io.drayage.internal.FatalErrors;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Messages of one line for a command that failed. */
final class CommandErrors {
  /** The exit code of other programs that SIGPIPE ends. */
  static final int PIPE_CLOSED = 141;

  private CommandErrors() {}

  /** Prints the mistake in the arguments, and where help is. */
  static int wrongUsage(ParameterException e, String[] args) {
    CommandLine command = e.getCommandLine();
    PrintWriter err = command.getErr();
    err.println(
        "drayage: %s%s (see '%s --help')"
            .formatted(
                Names.escaped(firstLine(e)),
                suggestion(e),
                command.getCommandSpec().qualifiedName()));
    err.flush();
    return ExitCode.USAGE;
  }

  private static String firstLine(Throwable e) {
    return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
  }

  private static String suggestion(ParameterException e) {
    if (!(e instanceof UnmatchedArgumentException unmatched)) {
      return "";
    }
    List<String> suggestions = unmatched.getSuggestions();
    return suggestions.isEmpty() ? "" : "; did you mean " + String.join(" or ", suggestions) + "?";
  }

  /** Prints what failed, with a stack trace if it is a bug of Drayage. */
  static int failed(Exception e, CommandLine command, ParseResult arguments) {
    return failed(e, command);
  }

  /** Returns a warning if the cargo may be part of the database. */
  private static String outcome(Exception e) {
    return e instanceof ShipmentException shipment
            && shipment.outcome() == ShipmentException.Outcome.UNKNOWN
        ? " (its changes may have taken effect: check this before you commit them again)"
        : "";
  }

  /** Prints what failed, without the arguments. */
  static int failed(Exception e, CommandLine command) {
    FatalErrors.report(e);
    if (e instanceof UncheckedIOException unchecked) {
      return failed(unchecked.getCause(), command);
    }
    if (e instanceof OutputException output && output.isPipeClosed()) {
      return PIPE_CLOSED;
    }
    PrintWriter err = command.getErr();
    String message = message(e);
    if (message == null) {
      err.println("drayage: internal error");
      e.printStackTrace(err);
    } else {
      err.println(
          message.lines().map(Names::escaped).collect(joining("%n".formatted(), "drayage: ", "")));
    }
    err.flush();
    return ExitCode.SOFTWARE;
  }

  /** Returns the message for the user; null for a bug of Drayage. */
  private static @Nullable String message(Exception e) {
    if (e instanceof ShipmentException named && named.fault() != Fault.INTERNAL) {
      return "%s: %s%s".formatted(named.fault(), named.getMessage(), outcome(named));
    } else if (e instanceof NoSuchFileException missing) {
      return missing.getFile() + ": no such file or folder";
    } else if (e instanceof AccessDeniedException denied && denied.getReason() == null) {
      return denied.getFile() + ": permission denied";
    } else if (e instanceof FileSystemException named) {
      return "%s: %s"
          .formatted(
              named.getFile(),
              Objects.requireNonNullElse(named.getReason(), named.getClass().getSimpleName()));
    } else if (e instanceof MessageForUsers
        || (e instanceof UnsupportedOperationException && e.getMessage() != null)
        || e instanceof BindException
        || (e.getClass() == IOException.class && e.getMessage() != null)) {
      // These messages are for users. The name of the last class says nothing to them.
      return e.getMessage() + outcome(e);
    }
    return e instanceof IOException ? e.toString() : null;
  }
}
