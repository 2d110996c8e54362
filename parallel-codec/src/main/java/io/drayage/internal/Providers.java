package io.drayage.internal;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/**
 * The providers of a service that the class loader of this library sees, then the providers that
 * the context class loader of the calling thread sees. In a container or a plugin the two loaders
 * differ. A context class loader that does not see the service has no providers. A provider that
 * cannot be loaded does not affect the others.
 *
 * @param found one object for each class, by its name; the library's loader comes first
 * @param errors a line for each provider, or service file, that cannot be used
 */
public record Providers<S>(List<S> found, List<String> errors) {
  /** The most errors of a class loader. An unreadable service file causes endless errors. */
  private static final int MAX_ERRORS = 100;

  /** Finds the providers of {@code service}, an interface of this library. */
  public static <S> Providers<S> of(Class<S> service) {
    Map<String, S> found = new LinkedHashMap<>();
    List<String> errors = new ArrayList<>();
    ClassLoader own = service.getClassLoader();
    ClassLoader context = Thread.currentThread().getContextClassLoader();
    add(service, own, found, errors);
    if (context != own && sees(context, service)) {
      add(service, context, found, errors);
    }
    return new Providers<>(List.copyOf(found.values()), errors.stream().distinct().toList());
  }

  private static <S> void add(
      Class<S> service, @Nullable ClassLoader loader, Map<String, S> found, List<String> errors) {
    Iterator<ServiceLoader.Provider<S>> providers =
        ServiceLoader.load(service, loader).stream().iterator();
    for (int failures = 0; failures < MAX_ERRORS; ) {
      try {
        if (!providers.hasNext()) {
          return;
        }
        ServiceLoader.Provider<S> provider = providers.next();
        String name = provider.type().getName();
        if (!found.containsKey(name)) {
          found.put(name, provider.get());
        }
      } catch (ServiceConfigurationError | LinkageError e) {
        failures++;
        errors.add(
            e.getCause() == null
                ? String.valueOf(e.getMessage())
                : e.getMessage() + ": " + e.getCause());
      }
    }
  }

  /** Whether a loader sees this very class. Otherwise its classes cannot implement it. */
  private static boolean sees(@Nullable ClassLoader loader, Class<?> service) {
    if (loader == null) {
      return false;
    }
    try {
      return Class.forName(service.getName(), false, loader) == service;
    } catch (ClassNotFoundException | LinkageError e) {
      return false;
    }
  }
}
