package io.drayage.profiling;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Roles of threads, by their names: the first line of {@code thread-roles.txt} that fits decides.
 * Immutable.
 */
public final class ThreadRoles {
  private static final ThreadRoles OF_DRAYAGE = parse(ResourceLines.of("thread-roles.txt"));

  private record Role(String name, Pattern threads) {}

  private final List<Role> roles;
  private final Set<String> pipeline;

  private ThreadRoles(List<Role> roles, Set<String> pipeline) {
    this.roles = roles;
    this.pipeline = pipeline;
  }

  /** Reads the roles of {@code thread-roles.txt}. */
  public static ThreadRoles ofDrayage() {
    return OF_DRAYAGE;
  }

  /**
   * Reads roles: {@code role | threads}, with a {@code +} before the role if its threads take part
   * in a shipment.
   *
   * @throws IllegalArgumentException if a line is malformed
   */
  static ThreadRoles parse(List<String> lines) {
    List<Role> roles = new ArrayList<>();
    Set<String> pipeline = new LinkedHashSet<>();
    for (String line : lines) {
      String[] parts = line.split("\\|", 2);
      if (parts.length != 2) {
        throw new IllegalArgumentException("'%s' is not 'role | threads'".formatted(line));
      }
      String name = parts[0].strip();
      if (name.startsWith("+")) {
        name = name.substring(1).strip();
        pipeline.add(name);
      }
      roles.add(new Role(name, ResourceLines.glob(parts[1].strip())));
    }
    return new ThreadRoles(List.copyOf(roles), Set.copyOf(pipeline));
  }

  /** Returns the role of the thread with this name. */
  public String of(String thread) {
    return roles.stream()
        .filter(role -> role.threads.matcher(thread).matches())
        .map(Role::name)
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("no role is for every thread"));
  }

  /** Checks whether threads of a role take part in a shipment, so that their waiting counts. */
  public boolean takesPart(String role) {
    return pipeline.contains(role);
  }

  /** Returns all roles, in the order of the file. */
  public List<String> names() {
    return roles.stream().map(Role::name).distinct().toList();
  }
}
