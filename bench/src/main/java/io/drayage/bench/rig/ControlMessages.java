package io.drayage.bench.rig;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.drayage.bench.cargo.CargoSource;
import io.drayage.bench.cargo.CargoSources;
import io.drayage.bench.result.ProcessCost;
import io.drayage.bench.system.SystemOptions;
import io.drayage.bench.system.SystemUnderTest;
import io.drayage.bench.system.Systems;
import io.drayage.node.CommitTimes;
import io.drayage.pipeline.SendReport;
import java.util.List;
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
    /**
     * Transactor: a database as it was before the first commit; {@link Cluster} or null back.
     * Worker: to {@link Cluster}.
     */
    RESET,
    /** Transactor: measure from now on. */
    BEGIN,
    /** Transactor: stop measuring; {@link ProcessCost} back. */
    END,
    /**
     * Transactor: {@link Expected} to {@link Verified}. Worker: {@link Applied} back, of the newest
     * snapshot that it has loaded.
     */
    VERIFY
  }

  record Request(Command command, @Nullable JsonNode arguments) {}

  /** Either a result, which may be null, or an error. */
  record Response(@Nullable JsonNode result, @Nullable String error) {}

  /**
   * What a child is for.
   *
   * @param seed of the cargo's values; another one for each worker
   * @param streaming how the cargo is streamed; null if it is in memory
   * @param commits how whole commits are made; null if the cargo only has to take effect
   * @param worker the worker's number, from 1; 0 for a transactor
   */
  record Job(
      String system,
      SystemOptions options,
      String cargo,
      long sizeBytes,
      long seed,
      @Nullable Streaming streaming,
      @Nullable Commits commits,
      int worker) {
    /** The same for a worker, whose cargo is its own. */
    Job ofWorker(int number) {
      return new Job(
          system, options, cargo, sizeBytes, seed + number - 1, streaming, commits, number);
    }

    SystemUnderTest parsedSystem() {
      return Systems.notation().parse(system);
    }

    CargoSource source() {
      return CargoSources.parse(cargo, sizeBytes, seed);
    }
  }

  /** The worker holds its cargo. */
  record Prepared(long rawBytes, long digest) {}

  /** The transactor listens on the loopback interface. */
  public record Listening(int port) {}

  /** Where a database is. */
  record Cluster(String zookeeper, String store, long timestamp) {}

  /** One shipment, and what came after it unless the cargo only had to take effect. */
  record Shipped(SendReport report, @Nullable Loaded loaded, ProcessCost cost) {}

  /** See {@link io.drayage.worker.CommitReport}. */
  record Loaded(long publishNs, long loadNs, long totalNs) {}

  /** How many cargoes must have taken effect. */
  record Expected(int commits) {}

  record Verified(List<Applied> commits) {}

  /** What has taken effect: the digest of what a snapshot changed. */
  record Applied(long timestamp, long digest, @Nullable CommitTimes times) {}
}
