package io.drayage.tables;

import java.io.Serial;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/** An export in which some tables failed. */
public final class ExportException extends TableException {
  @Serial private static final long serialVersionUID = 1;

  private final transient List<Path> written;
  private final transient List<TableException> failures;

  /**
   * Creates the exception.
   *
   * @param written the files of the other tables
   * @param failures one for each table, at least one
   */
  public ExportException(List<Path> written, List<TableException> failures) {
    super(
        failures.stream().map(TableException::getMessage).collect(Collectors.joining("; ")),
        failures.get(0));
    this.written = List.copyOf(written);
    this.failures = List.copyOf(failures);
  }

  /** The files of the exported tables. */
  public List<Path> written() {
    return written;
  }

  /** The failures, one for each table; each message names its table. */
  public List<TableException> failures() {
    return failures;
  }
}
