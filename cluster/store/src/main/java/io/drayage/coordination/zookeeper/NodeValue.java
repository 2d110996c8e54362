package io.drayage.coordination.zookeeper;

import io.drayage.coordination.CoordinationException;
import io.drayage.coordination.Registration;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;

/**
 * The value of a node in {@link NodeTree}: its path, and the parser of its text.
 *
 * @param order higher for newer values
 */
record NodeValue<T>(String path, NodeText.Parser<T> parser, ToLongFunction<T> order) {
  /** A value, and its version, which a write that replaces the value expects. */
  record Versioned<T>(T value, int version) {}

  /** The current value; empty if the node does not exist or has no data. */
  Optional<T> latest(NodeTree tree) throws CoordinationException {
    tree.sync(path);
    Optional<NodeTree.Value> found = tree.read(path);
    return found.isEmpty() ? Optional.empty() : Optional.of(parser.parse(path, found.get().data()));
  }

  /** The value, which may be old; {@code absent} if the node has none. */
  Versioned<T> read(NodeTree tree, T absent) throws CoordinationException {
    Optional<NodeTree.Value> found = tree.read(path);
    return found.isEmpty()
        ? new Versioned<>(absent, 0)
        : new Versioned<>(parser.parse(path, found.get().data()), found.get().version());
  }

  /** Returns the current value, to be replaced; see {@link #read}. Creates a missing node. */
  Versioned<T> readToReplace(NodeTree tree, T absent) throws CoordinationException {
    tree.ensure(path);
    tree.sync(path);
    return read(tree, absent);
  }

  /** Calls {@code watcher} with the value: now, if there is one, and after each change. */
  Registration watch(NodeTree tree, Consumer<T> watcher) {
    return ValueWatch.start(tree, this, watcher);
  }
}
