/**
 * What several serializers share: limits on what a peer may cost, and the rows of a segment. Not
 * for users.
 */
@NullMarked
package io.drayage.serializer.support;

import org.jspecify.annotations.NullMarked;
