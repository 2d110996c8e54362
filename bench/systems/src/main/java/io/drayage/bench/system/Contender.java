package io.drayage.bench.system;

/**
 * What takes part in a comparison: a system with its options, so that one system may take part
 * twice.
 *
 * @param name what results call it, different from the others'; the system's notation where that
 *     says it all
 * @param division who ships what
 */
public record Contender(
    String name, SystemUnderTest system, SystemOptions options, Division division) {
  /** One whose workers ship a cargo each. */
  public Contender(String name, SystemUnderTest system, SystemOptions options) {
    this(name, system, options, Division.EACH);
  }

  /** The same whose workers divide a cargo so. */
  public Contender dividing(Division other, int workers) {
    return new Contender(name + other.suffix(workers), system, options, other);
  }

  /**
   * A system under its notation, with the codec threads that it really has: {@code @2} is
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
