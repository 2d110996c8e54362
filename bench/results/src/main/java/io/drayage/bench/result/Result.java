package io.drayage.bench.result;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.drayage.bench.environment.Environment;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The result of a command, for its file: the one JSON schema of all commands.
 *
 * @param schema the version of this form, {@link #SCHEMA}
 * @param environment the machine, the build and the libraries
 * @param config the options, and the values that the command chose
 * @param runs every measured iteration, failed ones too, in the order in which they ran; left out
 *     if the command has none
 * @param summary one entry per row
 * @param more further members, by their names
 * @param allOk whether all measurements succeeded; not part of the JSON
 */
public record Result<S>(
    int schema,
    Object environment,
    Object config,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable List<Run> runs,
    List<S> summary,
    @JsonAnyGetter Map<String, Object> more,
    @JsonIgnore boolean allOk) {
  /** The version of this form. */
  public static final int SCHEMA = 1;

  /** Creates a result without further members. */
  public static <S> Result<S> of(
      Object environment, Object config, @Nullable List<Run> runs, List<S> summary, boolean allOk) {
    return new Result<>(SCHEMA, environment, config, runs, summary, Map.of(), allOk);
  }

  /** Creates a result of this process's environment, without runs and further members. */
  public static <S> Result<S> of(Object config, List<S> summary, boolean allOk) {
    return of(Environment.capture(), config, null, summary, allOk);
  }

  /** Adds a member; null adds none. */
  public Result<S> with(String name, @Nullable Object value) {
    if (value == null) {
      return this;
    }
    Map<String, Object> all = new LinkedHashMap<>(more);
    all.put(name, value);
    return new Result<>(schema, environment, config, runs, summary, all, allOk);
  }

  /**
   * Writes the result as JSON. Null is written as null.
   *
   * @throws IOException if the file cannot be written
   */
  public void writeTo(Path file) throws IOException {
    JsonFile.write(file, this);
  }
}
