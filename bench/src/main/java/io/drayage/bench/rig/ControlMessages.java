package io.drayage.bench.rig;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.drayage.bench.result.ProcessCost;
import io.drayage.bench.system.SystemOptions;
import io.drayage.pipeline.SendReport;
import org.jspecify.annotations.Nullable;

/**
 * What the rig and its children say to each other: one JSON object a line, a {@link Request} on the
 * child's standard input, then one {@link Response} on its standard output. What a child says of
 * its progress before that is a line that starts with {@link #PROGRESS}.
 */
public final class ControlMessages {
  static final ObjectMapper JSON = JsonMapper.builder().build();

  static final String PROGRESS = "#";

  private ControlMessages() {}

  /** The commands. Both children know the first three. */
  public enum Command {
    /** Get ready: {@link Job} to {@link Prepared} from the worker, {@link Listening} back. */
    PREPARE,
    /** Collect garbage, and answer when that is done. */
    GC,
    /** End. There is no answer. */
    QUIT,
    /** Worker: ship to {@link Listening}. */
    CONNECT,
    /** Worker: ship the cargo; {@link Shipped} back. */
    RUN,
    /** Transactor: back to the store as it was before the first commit. */
    RESET,
    /** Transactor: measure from now on. */
    BEGIN,
    /** Transactor: stop measuring; {@link ProcessCost} back. */
    END,
    /** Transactor: {@link Applied} back. */
    VERIFY
  }

  record Request(Command command, @Nullable JsonNode arguments) {}

  /** Either a result, which may be null, or an error. */
  record Response(@Nullable JsonNode result, @Nullable String error) {}

  /** What a child is for. */
  record Job(
      String system,
      SystemOptions options,
      String cargo,
      long sizeBytes,
      long seed,
      @Nullable Streaming streaming) {}

  /** The worker holds its cargo. */
  record Prepared(long rawBytes, long digest) {}

  /** The transactor listens on the loopback interface. */
  public record Listening(int port) {}

  record Shipped(SendReport report, ProcessCost cost) {}

  /** The digest of what has taken effect. */
  record Applied(long digest) {}
}
