package io.drayage.bench.link;

import io.drayage.bench.LinkSpeed;
import io.drayage.internal.Begun;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The link between the workers and the transactor of a run: loopback, or a link of a rate between
 * network namespaces of its own. The link exists from {@link #open} until it is closed or this JVM
 * ends, except by a kill. The next opened link removes a link that a kill left.
 *
 * <p>Thread-safe, except for closing it while it is used.
 */
public final class Link implements AutoCloseable {
  private static final String LOOPBACK = "127.0.0.1";
  private static final String TRANSACTOR = "transactor";

  private final LinkSpeed rate;
  private final @Nullable LocalCluster cluster;

  /** Closes the link when the JVM ends; null if there is nothing to close. */
  private final @Nullable Thread remover;

  private final LinkedHost transactor;
  private final List<LinkedHost> workers;
  private final LinkFacts facts;
  private final AtomicBoolean closed = new AtomicBoolean();

  private Link(
      LinkSpeed rate,
      @Nullable LocalCluster cluster,
      @Nullable Thread remover,
      LinkedHost transactor,
      List<LinkedHost> workers,
      LinkFacts facts) {
    this.rate = rate;
    this.cluster = cluster;
    this.remover = remover;
    this.transactor = transactor;
    this.workers = List.copyOf(workers);
    this.facts = facts;
  }

  /** Returns loopback, which always exists and need not be closed. */
  public static Link loopback(int workers) {
    return loopback(Pinning.NONE, workers);
  }

  private static Link loopback(Pinning pinning, int workers) {
    LinkedHost worker = new LinkedHost(LOOPBACK, Pinning.prefix(pinning.workers()));
    return new Link(
        LinkSpeed.LOOPBACK,
        null,
        null,
        new LinkedHost(LOOPBACK, Pinning.prefix(pinning.transactor())),
        Collections.nCopies(workers, worker),
        new LinkFacts(
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            pinning.workers(),
            pinning.transactor()));
  }

  /**
   * Makes a link.
   *
   * @param rate the rate in both directions; {@link LinkSpeed#LOOPBACK} for loopback
   * @param workers number of hosts besides the transactor's
   * @param pin whether each side gets cores of its own
   * @throws LinkException if this machine or this user cannot have such a link
   */
  public static Link open(LinkSpeed rate, int workers, boolean pin)
      throws IOException, InterruptedException {
    return open(rate, null, workers, pin);
  }

  /**
   * Makes a link with another rate for the transactor than for the workers.
   *
   * @param transactorRate null for the rate of the workers
   */
  public static Link open(
      LinkSpeed rate, @Nullable LinkSpeed transactorRate, int workers, boolean pin)
      throws IOException, InterruptedException {
    Pinning pinning = pin ? Pinning.halves() : Pinning.NONE;
    if (rate.isLoopback()) {
      return loopback(pinning, workers);
    }
    LocalCluster cluster = LocalCluster.ofThisProcess();
    Thread remover = new Thread(() -> remove(cluster), "remove-link");
    Runtime.getRuntime().addShutdownHook(remover);
    try (Begun begun = new Begun(() -> forget(remover))) {
      // If this fails, the script has removed its hosts.
      cluster.up(bits(rate), transactorRate == null ? null : (Long) bits(transactorRate), workers);
      begun.add(() -> remove(cluster));
      return begun.keep(of(rate, workers, pinning, cluster, remover));
    }
  }

  private static long bits(LinkSpeed rate) {
    return rate.bytesPerSecond() * Byte.SIZE;
  }

  private static Link of(
      LinkSpeed rate, int workers, Pinning pinning, LocalCluster cluster, Thread remover)
      throws IOException, InterruptedException {
    Map<String, String> known = cluster.facts();
    List<LinkedHost> hosts = new ArrayList<>();
    for (int i = 1; i <= workers; i++) {
      hosts.add(host(cluster, known, "worker-" + i, pinning.workers()));
    }
    LinkFacts facts =
        new LinkFacts(
            Long.valueOf(fact(known, "rateBitsPerSecond")),
            Long.valueOf(fact(known, "transactorRateBitsPerSecond")),
            Long.valueOf(fact(known, "burstBytes")),
            fact(known, "queue"),
            Integer.valueOf(fact(known, "mtuBytes")),
            fact(known, "congestionControl"),
            fact(known, "topology"),
            fact(known, "offloads"),
            pinning.workers(),
            pinning.transactor());
    return new Link(
        rate,
        cluster,
        remover,
        host(cluster, known, TRANSACTOR, pinning.transactor()),
        hosts,
        facts);
  }

  private static LinkedHost host(
      LocalCluster cluster, Map<String, String> known, String name, @Nullable String cores)
      throws LinkException {
    List<String> prefix = new ArrayList<>(Pinning.prefix(cores));
    prefix.addAll(cluster.prefix(name));
    return new LinkedHost(fact(known, name), prefix);
  }

  private static String fact(Map<String, String> known, String key) throws LinkException {
    String value = known.get(key);
    if (value == null) {
      throw new LinkException("the script did not report the %s of the link".formatted(key));
    }
    return value;
  }

  /** Returns the rate as the user wrote it: {@code loopback}, {@code 1gbit}. */
  public String text() {
    return rate.text();
  }

  /** Whether there is no link between the two ends. */
  public boolean isLoopback() {
    return rate.isLoopback();
  }

  /**
   * Returns the most bytes a second of one worker while all ship, with the headers of all layers;
   * null over loopback, where nothing is known.
   */
  public @Nullable Long bytesPerSecondOfWorker() {
    return bytesPerSecondOfWorker(workers.size());
  }

  /** Returns the most bytes a second of one worker while this many ship; null over loopback. */
  public @Nullable Long bytesPerSecondOfWorker(int shipping) {
    Long transactorBits = facts.transactorRateBitsPerSecond();
    return transactorBits == null
        ? null
        : (Long) Math.min(rate.bytesPerSecond(), transactorBits / Byte.SIZE / shipping);
  }

  public LinkedHost transactor() {
    return transactor;
  }

  /**
   * The host of a worker.
   *
   * @param number from 1
   */
  public LinkedHost worker(int number) {
    return workers.get(number - 1);
  }

  /** Returns the facts about the link. */
  public LinkFacts facts() {
    return facts;
  }

  /**
   * Returns queues, devices, routes and connections of all hosts at this moment, as {@code tc},
   * {@code ip} and {@code ss} print them; empty over loopback.
   *
   * @throws LinkException if they cannot be read
   */
  public String state() throws IOException, InterruptedException {
    return cluster == null ? "" : cluster.details();
  }

  /** Removes the link, with all processes that still run on its hosts. */
  @Override
  public void close() {
    if (cluster != null && closed.compareAndSet(false, true)) {
      remove(cluster);
      forget(remover);
    }
  }

  private static void forget(@Nullable Thread remover) {
    try {
      if (remover != null) {
        Runtime.getRuntime().removeShutdownHook(remover);
      }
    } catch (IllegalStateException e) {
      // The JVM is ending: the thread runs, and finds no link.
    }
  }

  /** Removes a link, or leaves it to the next opened link: results are more important. */
  private static void remove(LocalCluster cluster) {
    try {
      cluster.down();
    } catch (IOException e) {
      System.getLogger(Link.class.getName())
          .log(Level.WARNING, "a link is left behind: {0}", e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
