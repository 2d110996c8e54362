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
    /** Get ready: a job to {@link Prepared} from the worker, {@link Listening} back. */
    PREPARE,
    /** Quiesce: collect garbage, let the compiler finish, then answer. */
    QUIESCE,
    /** Worker: ship to {@link Listening}. */
    CONNECT,
    /** Worker: ship the cargo; {@link Shipped} back. */
    RUN,
    /** Worker: ship the first part of the cargo some times: {@link Burst} to {@link Warmed}. */
    WARM,
    /**
     * Transactor: a database as it was before the first commit; {@link Cluster} or null back.
     * Worker: to {@link Cluster}.
     */
    RESET,
    /** Transactor: measure from now on. */
    BEGIN,
    /** Transactor: stop measuring; {@link ProcessCost} back. */
    END,
    /** Worker: begin a transaction of all workers; what they need for it back. */
    OPEN,
    /** Worker: send the cargo as a part of that transaction; {@link Sent} back. */
    SEND,
    /** Worker that began it: commit the fragments of all workers; {@link Committed} back. */
    COMMIT,
    /**
     * Worker: wait for the snapshot of {@link Committed} if it keeps a copy; {@link ProcessCost}
     * back.
     */
    AWAIT,
    /**
     * Transactor: {@link Expected} to {@link Verified}. Worker: the same to {@link Applied}, of the
     * newest snapshot that it has loaded.
     */
    VERIFY,
    /** Get ready to be profiled: {@link Profiling}. */
    PROFILE,
    /** Record a profile from now on, and drop what was recorded before: {@link Sampling}. */
    RECORD,
    /** Save what was recorded. */
    SAVE
  }

  public record Request(Command command, @Nullable JsonNode arguments) {}

  /** Either a result, which may be null, or an error. */
  public record Response(@Nullable JsonNode result, @Nullable String error) {}

  /**
   * How to profile.
   *
   * @param events what to sample, as users write it
   * @param file where to save the recording
   */
  public record Profiling(List<String> events, String file) {}

  /**
   * How to sample.
   *
   * @param kernelFrames whether samples of the processor show the kernel's frames, where permitted
   */
  public record Sampling(boolean kernelFrames) {}

  /** The worker has its cargo. */
  public record Prepared(long rawBytes, long digest) {}

  /** Where the transactor listens; {@code host} is an IP address. */
  public record Listening(String host, int port) {
    /** The same for who asks a socket. */
    public static Listening at(InetSocketAddress address) {
      return new Listening(address.getAddress().getHostAddress(), address.getPort());
    }

    /** The same for who opens one. */
    public InetSocketAddress address() {
      return new InetSocketAddress(host, port);
    }
  }

  /**
   * Cargoes in a row.
   *
   * @param bytes about how many raw bytes of the cargo each has
   * @param times how many there are
   * @param segmentBytes how large their segments are; null: as large as those of the cargo
   */
  public record Burst(long bytes, int times, @Nullable Integer segmentBytes) {}

  /** How long each took, and what they cost the worker. */
  public record Warmed(List<Double> seconds, ProcessCost cost) {}

  /**
   * Where a database is.
   *
   * @param replica whether a worker keeps a copy of it, which sending fragments does not need
   */
  public record Cluster(String zookeeper, String store, long timestamp, boolean replica) {
    /** The same for a worker that only sends fragments. */
    public Cluster withoutReplica() {
      return new Cluster(zookeeper, store, timestamp, false);
    }
  }

  /** One shipment, and what came after it unless the cargo only had to take effect. */
  public record Shipped(SendReport report, @Nullable Loaded loaded, ProcessCost cost) {}

  /**
   * What follows a shipment in a whole commit, by the worker's clock.
   *
   * @param publishNs from the transactor's answer until the worker sees the timestamp published
   * @param loadNs until it has loaded the snapshot
   * @param totalNs the whole commit
   * @param downloadNs how long a download of the snapshot took: {@code loadNs} if the commit had
   *     one, else after it; null if there was none
   */
  public record Loaded(long publishNs, long loadNs, long totalNs, @Nullable Long downloadNs) {}

  /**
   * What a worker has sent of a transaction.
   *
   * @param report of all fragments together; they wait for the store side by side
   */
  public record Sent(List<UUID> fragments, SendReport report) {}

  /**
   * A transaction of several workers, by the clock of the one that began it.
   *
   * @param commitNs from the last fragment until the transactor has answered
   */
  public record Committed(long timestamp, long commitNs, Loaded loaded) {}

  /**
   * How many commits must have taken effect.
   *
   * @param inAnyOrder whether digests are those of {@link EffectDigest}
   */
  public record Expected(int commits, boolean inAnyOrder) {}

  /** What has taken effect, one of each commit. */
  public record Verified(List<Applied> commits) {}

  /**
   * What has taken effect: the digest of what a snapshot changed.
   *
   * @param times null if the cargo only had to take effect
   */
  public record Applied(long timestamp, long digest, @Nullable StepTimes times) {}

  /**
   * The transactor's steps of one whole commit, each what is left of it when the one before is
   * done.
   *
   * @param applyNs from the whole cargo until it is in memory
   * @param uploadNs until all of it is in the object store
   * @param logNs until its entry is in the log: stored
   */
  public record StepTimes(long applyNs, long uploadNs, long logNs) {}
}
