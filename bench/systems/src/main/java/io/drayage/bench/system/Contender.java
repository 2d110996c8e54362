package io.drayage.bench.system;

/**
 * A participant of a comparison: a system with its options. So one system may take part twice.
 *
 * @param name the name in results, unique; the system's notation if that is enough
 * @param division the division of a cargo among the workers
 */
public record Contender(
    String name, SystemUnderTest system, SystemOptions options, Division division) {
  /** Creates a contender whose workers ship a cargo each. */
  public Contender(String name, SystemUnderTest system, SystemOptions options) {
    this(name, system, options, Division.EACH);
  }

  /** Returns this contender with workers that divide a cargo. */
  public Contender dividing(Division other, int workers) {
    return new Contender(name + other.suffix(workers), system, options, other);
  }

  /**
   * Returns a system under its notation, with its real number of codec threads: {@code @2} is
   * {@code @2/1} if the options give the transactor one, {@code @WORKER/TRANSACTOR}.
   */
  public static Contender of(SystemUnderTest system, SystemOptions options) {
    return new Contender(name(system, options), system, options);
  }

  private static String name(SystemUnderTest system, SystemOptions options) {
    int worker = options.workerThreadsOf(system);
    int transactor = options.transactorThreadsOf(system);
    int written = system.threadCount();
    if (!system.isParallel() || (worker == written && transactor == written)) {
      return system.toString();
    }
    return system.withoutThreads()
        + "@"
        + (worker == transactor ? worker : worker + "/" + transactor);
  }

  @Override
  public String toString() {
    return name;
  }
}
