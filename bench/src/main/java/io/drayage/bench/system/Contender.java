package io.drayage.bench.system;

/**
 * What takes part in a comparison: a system with its options, so that one system may take part
 * twice.
 *
 * @param name what results call it, different from the others'; the system's notation where that
 *     says it all
 */
public record Contender(String name, SystemUnderTest system, SystemOptions options) {
  /** A system under its notation. */
  public static Contender of(SystemUnderTest system, SystemOptions options) {
    return new Contender(system.toString(), system, options);
  }

  /** The name. */
  @Override
  public String toString() {
    return name;
  }
}
