package io.drayage.bench.child;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.drayage.send.SendReport;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The messages between the rig and its children: one JSON object a line, a {@link Request} on the
 * child's standard input, then one {@link Response} on its standard output.
 */
public final class ControlMessages {
  /** Reads and writes the messages. */
  public static final ObjectMapper JSON = JsonMapper.builder().build();

  private ControlMessages() {}

  /** The commands. All children know the first two. */
  public enum Command {
    /** Get ready: a job to {@link Prepared} (worker) or {@link Listening} (transactor). */
    PREPARE,
    /** Quiesce: collect garbage, let the compiler finish, then answer. */
    QUIESCE,
    /** Worker: ship to {@link Listening}. */
    CONNECT,
    /** Worker: ship the cargo; returns {@link Shipped}. */
    RUN,
    /** Worker: ship the first part of the cargo several times: {@link Burst} to {@link Warmed}. */
    WARM,
    /**
     * Transactor: reset the database to its state before the first commit; returns {@link Cluster}
     * or null. Worker: to {@link Cluster}.
     */
    RESET,
    /** Transactor: measure from now on. */
    BEGIN,
    /** Transactor: stop measuring; returns {@link ProcessCost}. */
    END,
    /** Worker: begin a transaction of all workers; returns the data that they need for it. */
    OPEN,
    /** Worker: send the cargo as a part of that transaction; returns {@link Sent}. */
    SEND,
    /** Worker that began it: commit the fragments of all workers; returns {@link Committed}. */
    COMMIT,
    /**
     * Worker: wait for the snapshot of {@link Committed} if it has a replica; returns {@link
     * ProcessCost}.
     */
    AWAIT,
    /**
     * Transactor: {@link Expected} to {@link Verified}. Worker: {@link Expected} to {@link
     * Applied}, of the newest snapshot that it has loaded.
     */
    VERIFY,
    /** Get ready to be profiled: {@link Profiling}. */
    PROFILE,
    /** Record a profile from now on, and drop earlier records: {@link Sampling}. */
    RECORD,
    /** Save the recorded profile. */
    SAVE
  }

  public record Request(Command command, @Nullable JsonNode arguments) {}

  /** Either a result, which may be null, or an error. */
  public record Response(@Nullable JsonNode result, @Nullable String error) {}

  /**
   * The settings of a profile.
   *
   * @param events what to sample, as users write it
   * @param file the file for the recording
   */
  public record Profiling(List<String> events, String file) {}

  /**
   * The settings of sampling.
   *
   * @param kernelFrames whether CPU samples show the kernel's frames, where permitted
   */
  public record Sampling(boolean kernelFrames) {}

  /** The raw bytes and the digest of a worker's cargo that is ready. */
  public record Prepared(long rawBytes, long digest) {}

  /** The address at which the transactor listens; {@code host} is an IP address. */
  public record Listening(String host, int port) {
    /** Makes the message of a socket's address. */
    public static Listening at(InetSocketAddress address) {
      return new Listening(address.getAddress().getHostAddress(), address.getPort());
    }

    /** Returns the address for a socket. */
    public InetSocketAddress address() {
      return new InetSocketAddress(host, port);
    }
  }

  /**
   * Several cargoes, one after the other.
   *
   * @param bytes approximate raw bytes of each cargo
   * @param times number of cargoes
   * @param segmentBytes bytes of their segments; null: as large as those of the whole cargo
   */
  public record Burst(long bytes, int times, @Nullable Integer segmentBytes) {}

  /** The duration of each shipment, and the cost of all for the worker. */
  public record Warmed(List<Double> seconds, ProcessCost cost) {}

  /**
   * The location of a database.
   *
   * @param replica whether a worker keeps a replica, which sending fragments does not need
   */
  public record Cluster(String zookeeper, String store, long timestamp, boolean replica) {
    /** Returns the location for a worker that only sends fragments. */
    public Cluster withoutReplica() {
      return new Cluster(zookeeper, store, timestamp, false);
    }
  }

  /** One shipment; {@code loaded} is null if the cargo only had to take effect. */
  public record Shipped(SendReport report, @Nullable Loaded loaded, ProcessCost cost) {}

  /**
   * The steps after a shipment in a whole commit, by the worker's clock.
   *
   * @param publishNs from the transactor's answer until the worker sees the timestamp published
   * @param loadNs from then until it has loaded the snapshot
   * @param totalNs the whole commit
   * @param downloadNs duration of a download of the snapshot: {@code loadNs} if the commit had one,
   *     else after the commit; null if there was none
   */
  public record Loaded(long publishNs, long loadNs, long totalNs, @Nullable Long downloadNs) {}

  /**
   * The fragments of a transaction that a worker has sent.
   *
   * @param report for all fragments together; they wait for the store side by side
   */
  public record Sent(List<UUID> fragments, SendReport report) {}

  /**
   * A transaction of several workers, by the clock of the worker that began it.
   *
   * @param commitNs from the last fragment until the transactor has answered
   */
  public record Committed(long timestamp, long commitNs, Loaded loaded) {}

  /**
   * The number of commits that must have taken effect.
   *
   * @param inAnyOrder whether digests are those of {@link EffectDigest}
   */
  public record Expected(int commits, boolean inAnyOrder) {}

  /** The effects, one for each commit. */
  public record Verified(List<Applied> commits) {}

  /**
   * The effect of one commit: the digest of the changes of its snapshot.
   *
   * @param times null if the cargo only had to take effect
   */
  public record Applied(long timestamp, long digest, @Nullable StepTimes times) {}

  /**
   * The transactor's steps of one whole commit. Each is the time that remains after the step
   * before.
   *
   * @param applyNs from the whole cargo until it is in memory
   * @param uploadNs until all of it is in the object store
   * @param logNs until its entry is in the log: stored
   */
  public record StepTimes(long applyNs, long uploadNs, long logNs) {}
}
