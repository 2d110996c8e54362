package io.drayage.study.chronicle;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;

/** The compared systems. */
final class ComparedSystems {
  private static final Map<String, Supplier<MarketDataSystem>> ALL = all();

  private ComparedSystems() {}

  private static Map<String, Supplier<MarketDataSystem>> all() {
    Map<String, Supplier<MarketDataSystem>> all = new LinkedHashMap<>();
    all.put("default", () -> new ChronicleSystem(MarketData::new));
    all.put("explicit", () -> new ChronicleSystem(ExplicitMarketData::new));
    all.put("trivially copyable", () -> new ChronicleSystem(CopiedMarketData::new));
    all.put("flyweight", FlyweightSystem::new);
    all.put("Kryo", LibrarySystem::kryo);
    all.put("Fory", LibrarySystem::fory);
    all.put("raw", ColumnSystem::new);
    return all;
  }

  static List<String> names() {
    return List.copyOf(ALL.keySet());
  }

  /** Makes the system with this name. */
  static MarketDataSystem ofName(String name) {
    return Objects.requireNonNull(ALL.get(name), name).get();
  }
}
